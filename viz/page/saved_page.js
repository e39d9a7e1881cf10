// Script of a saved file. It unpacks the stage and the trees, which the file contains in base 85, and shows them.

/** @typedef {typeof import("../stage/host/component.js").standalone} Standalone */
/** @typedef {object} Options of a stage, see host/presentation.js */

// The same digits as in stage_html.py.
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%.()*+-;:=>?@^_`{|}~";
const digit = Object.fromEntries([...DIGITS].map((c, i) => [c, i]));

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Return the bytes in a block of the file. @param {string} id */
function bytes(id) {
  const text = element(id).textContent;
  const view = new DataView(new ArrayBuffer(Math.ceil(text.length / 5) * 4));
  for (let i = 0; i < text.length; i += 5) {
    let word = 0;
    for (let j = i; j < i + 5; j++) word = word * 85 + (digit[text[j]] ?? 84);
    view.setUint32((i / 5) * 4, word);
  }
  return new Uint8Array(view.buffer, 0, Math.floor((text.length * 4) / 5));
}

/** Return the parsed JSON in a block of the file, or null if there is no such block. @param {string} id */
function parsedBlock(id) {
  const found = document.getElementById(id);
  return found && JSON.parse(found.textContent);
}

/** @param {string} text of a module @returns {Promise<{ standalone: Standalone }>} */
async function imported(text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return await import(address);
  } catch {
    // A frame is also subject to the policy of the surrounding page. Some notebooks allow only inline scripts.
    return new Promise((resolve) => {
      Object.assign(window, { loaded: resolve });
      const textContent = `${text}\nwindow.loaded({ standalone, modules });`;
      document.head.append(Object.assign(document.createElement("script"), { type: "module", textContent }));
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

const unpacked = new Blob([bytes("parts")]).stream().pipeThrough(new DecompressionStream("deflate"));
const { style, module } = await new Response(unpacked).json();
document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
const { standalone } = await imported(module);
/** @type {Options[] | null} */
const linked = parsedBlock("options");
const lesson = parsedBlock("lesson");
if (linked) {
  for (const [i, own] of linked.entries()) await standalone(element(`place-${i}`), bytes(`trees-${i}`), own);
} else if (lesson) {
  const moment = Number(/^#(\d{1,3})$/.exec(location.hash)?.[1] ?? 1) - 1;
  await standalone(element("stage"), bytes("trees"), { lesson, moment, present: innerWidth >= 1600 });
} else {
  await standalone(element("stage"), bytes("trees"), parsedBlock("presented") ?? {});
}

export {};
