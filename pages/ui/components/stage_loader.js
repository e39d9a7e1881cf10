// The stage as a component of the app. Its module, style and content are files on the server, which the browser caches.
// Each run of the page sends only their names and a small header.

/** @import { Call, Stage } from "./component" */
/** @typedef {Uint8Array<ArrayBuffer>} Bytes */
/** @typedef {{ default: (page: object) => () => void }} Module */

const WAIT = [300, 700, 1500, 3000, 6000, 12000]; // milliseconds before each retry; the last one repeats

// The address of Streamlit's script contains the path of the app, even behind a proxy that strips a prefix.
/** @type {HTMLScriptElement | null} */
const SCRIPT = document.querySelector('script[src*="/static/js/"]');
const ROOT = SCRIPT ? new URL("../../", SCRIPT.src) : new URL("./", location.href);
const addressOf = (/** @type {string} */ name) => new URL(`stage-files/${name}`, ROOT).href;

const pause = (/** @type {number} */ milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Return the result of `load(times)`, or null if nothing needs it any more. The function retries `load`, because a
 * connection can fail and a restarted server has a file only after the page has run.
 * @template Found
 * @param {(times: number) => Promise<Found | null>} load @param {() => boolean} isWanted
 */
async function had(load, isWanted) {
  for (let times = 0; isWanted(); times++) {
    const found = await load(times).catch(() => null);
    if (found) return found;
    await pause(WAIT[Math.min(times, WAIT.length - 1)]);
  }
  return null;
}

/** Return the bytes of a file. @param {string} name @returns {Promise<Bytes | null>} */
async function fetched(name) {
  const answer = await fetch(addressOf(name));
  return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
}

/**
 * Return the module with this name. Each attempt uses a new address, because browsers remember failed ones.
 * @param {string} name @param {number} times @returns {Promise<Module>}
 */
const imported = (name, times) => import(`${addressOf(name)}${times ? `?${times}` : ""}`);

/** Add the style sheet below `parent`, and resolve to whether it was loaded. @param {Element} parent
 * @param {string} name */
function styled(parent, name) {
  return new Promise((/** @type {(holds: boolean | void) => void} */ done) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.onload = () => done(true);
    link.onerror = () => done(link.remove());
    link.href = addressOf(name);
    parent.append(link);
  });
}

/**
 * @typedef {object} Place
 * @property {(() => void)[]} calls
 * @property {string | null} name of the content
 * @property {Bytes | null} bytes
 * @property {(() => void) | null} leave
 * @property {Module["default"]} [stage]
 * @property {Promise<unknown>} [ready]
 */

/** @type {WeakMap<Element, Place>} */
const places = new WeakMap();

/**
 * Entry of the component; called on every change of the data or the theme, sometimes out of order.
 * @param {Call<Stage>} call
 */
export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  /** @type {Place} */
  const place = places.get(parentElement) ?? { calls: [], name: null, bytes: null, leave: null };
  if (!place.ready) {
    const isThere = () => parentElement.isConnected;
    const module = had((times) => imported(data.module, times), isThere);
    const style = had(() => styled(parentElement, data.style), isThere);
    place.ready = Promise.all([module, style]).then(([module]) => (place.stage = module?.default));
    places.set(parentElement, place);
  }
  const header = JSON.parse(data.header);
  const isNewest = () => place.calls.at(-1) === show;
  const bring = async () => {
    const [bytes] = await Promise.all([had(() => fetched(data.content), isNewest), place.ready]);
    if (!bytes || !place.stage || !isNewest()) return; // Newer data have arrived, or the visitor has left the page.
    Object.assign(place, { bytes, name: data.content });
    show();
  };
  const show = () => {
    if (!place.stage || place.name !== data.content) {
      bring();
      return;
    }
    const shown = { initial: header, key: header.key, bytes: place.bytes };
    place.leave = place.stage({ data: shown, parentElement, setStateValue, setTriggerValue, fetched });
  };
  place.calls = [...place.calls.slice(-3), show];
  show();
  return () => {
    if (parentElement.isConnected) {
      // If a newer call arrives while this module loads, Streamlit ends the older one. The newer call continues its
      // work.
      const was = place.calls.at(-1);
      place.calls = place.calls.filter((call) => call !== show);
      if (was === show) place.calls.at(-1)?.();
      return;
    }
    place.calls = [];
    place.leave?.();
    places.delete(parentElement);
  };
}
