// The stage as a component of the app: its module, its style and what it shows are files of the server, which the browser
// keeps; what comes with each run of the page is their names and a small header.

const WAIT = [300, 700, 1500, 3000, 6000, 12000]; // milliseconds before a file is asked for again

// Streamlit's own scripts tell where the app is, also behind a proxy that strips a path
const ROOT = new URL("../../", document.querySelector('script[src*="/static/js/"]').src);
const addressOf = (name) => new URL(`stage-files/${name}`, ROOT);

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Bytes of a file. A server that was started again has it once the page has run there. */
async function fetched(name) {
  for (const wait of [...WAIT, null]) {
    const answer = await fetch(addressOf(name)).catch(() => null);
    if (answer?.ok) return new Uint8Array(await answer.arrayBuffer());
    if (wait === null) throw new Error(`${name} cannot be had.`);
    await pause(wait);
  }
}

/** Put the style below `parent`; resolves once it holds. */
function styled(parent, name) {
  return new Promise((done) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.onload = link.onerror = done;
    link.href = addressOf(name);
    parent.append(link);
  });
}

const places = new WeakMap();

/** Entry of the component; called again on every change of the data or the theme, now and then not in their order. */
export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  let place = places.get(parentElement);
  if (!place) {
    place = { calls: [], name: null, bytes: null, leave: null };
    place.ready = Promise.all([import(addressOf(data.module)), styled(parentElement, data.style)]);
    place.ready.then(([module]) => (place.stage = module.default));
    places.set(parentElement, place);
  }
  const header = JSON.parse(data.header);
  const show = () => {
    // there is news already, or the page is about something else, or it is not here yet
    if (place.calls.at(-1) !== show || !place.stage || place.name !== data.content) return;
    const shown = { initial: header, key: header.key, bytes: place.bytes };
    place.leave = place.stage({ data: shown, parentElement, setStateValue, setTriggerValue });
  };
  place.calls = [...place.calls.slice(-3), show];
  if (place.stage && place.name === data.content) show();
  else
    Promise.all([fetched(data.content), place.ready]).then(([bytes]) => {
      if (place.calls.at(-1) === show) Object.assign(place, { bytes, name: data.content });
      show();
    });
  return () => {
    if (parentElement.isConnected) {
      // Streamlit ends a call that a newer one has overtaken while this module was on its way: the newer one goes on
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
