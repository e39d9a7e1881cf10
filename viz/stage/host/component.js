// Entry points of a stage: in a standalone file, and in a page of the app as a Streamlit component.

import { h } from "../elements/dom.js";
import { luminance } from "../model/colors.js";
import { present } from "./presentation.js";
import { Stage } from "./stage.js";

/**
 * Create the stage of a standalone file: unpack `bytes` into `host`. `options`: see present(); they may include a
 * lesson.
 * @param {HTMLElement} host @param {Uint8Array<ArrayBuffer>} bytes @param {PageOptions} options
 */
export async function standalone(host, bytes, options = {}) {
  const stage = new Stage(host);
  hearRemote(stage);
  present(stage, options);
  const retheme = () => {
    stage.retheme();
    stage.resize();
  };
  stage.life.listen(matchMedia("(prefers-color-scheme: dark)"), "change", retheme);
  await open({ stage, latest: options }, bytes, options);
  const isTree = !options.lesson && !stage.store.state.recording && stage.path.trees.length < 2;
  if (isTree) present(stage, { ...options, alone: true });
  return stage;
}

/**
 * Stage in a page. `key`, `turn`: key and turn of its contents, set by the page. `sent`: last report to the page.
 * `followed`: row from the page.
 * @typedef {object} Mounted
 * @property {Stage} stage
 * @property {string | null} key
 * @property {string | null} sent
 * @property {number} turn
 * @property {string | null} requested
 * @property {string} followed
 * @property {PageOptions} latest
 * @property {(name: string, value: object) => void} setStateValue
 * @property {(name: string, value: object) => void} setTriggerValue
 * @property {(name: string) => Promise<Uint8Array<ArrayBuffer> | null>} fetched
 */

/** @type {WeakMap<Element, Mounted>} */
const mounted = new WeakMap();
let taste = {};
let isIntroduced = false; // once per page load

/**
 * Entry point of the Streamlit component, which is called on every change of the data or the theme.
 * @param {object} page
 * @param {{key: string, bytes: Uint8Array<ArrayBuffer>, initial: PageOptions}} page.data
 * @param {Element} page.parentElement
 * @param {Mounted["setStateValue"]} page.setStateValue
 * @param {Mounted["setTriggerValue"]} page.setTriggerValue
 * @param {Mounted["fetched"]} page.fetched
 */
export default function ({ data, parentElement, setStateValue, setTriggerValue, fetched }) {
  const own = mounted.get(parentElement) ?? mount(parentElement, setStateValue);
  Object.assign(own, { setStateValue, setTriggerValue, fetched });
  const { bytes, initial, key } = data;
  const { turn = 0 } = initial;
  own.stage.element.classList.toggle("below-banner", initial.banner);
  own.latest = initial;
  const { ahead } = own.stage;
  // The options of another path must not describe the old path while the new one is unpacked.
  const isUnpacking = own.requested !== key && own.stage.path && !initial.lesson && !ahead.isBehind(key);
  if (!isUnpacking) present(own.stage, initial);
  own.stage.lesson.stand();
  own.stage.lesson.hear(initial.drawn ?? null);
  if (ahead.isBehind(key)) {
    own.requested = key;
    if (ahead.shown === key) {
      ahead.met();
      Object.assign(own, { key, turn });
      own.stage.settle();
    }
  } else if (own.requested !== key) {
    own.requested = key;
    own.key = null; // The state of the old path must not be reported for the new path.
    own.stage.editor.answer = initial.edit ?? null;
    open(own, bytes, initial).then(() => {
      if (own.requested !== key) return; // A later call has replaced this call.
      own.key = key;
      own.followed = "null";
      hand(own);
      own.turn = turn;
      own.sent = JSON.stringify({ tree: initial.tree, node: initial.node, pin: initial.pin ?? null });
      if (own.latest.key === key) follow(own);
      own.stage.settle();
      if (own.latest.key === key) own.stage.editor.hear(own.latest.edit ?? null);
      if (initial.intro && !isIntroduced) own.stage.player.introduce();
      isIntroduced = true;
    });
  } else {
    // The server acts only in a new turn, because other data may be older than the latest actions of the user.
    if (own.key === key) follow(own);
    own.stage.retheme();
    own.stage.resize();
    if (own.key === key) hand(own);
    if (own.key === key) own.stage.editor.hear(initial.edit ?? null);
  }
  return () => {
    own.key = null; // The page has changed its contents by now.
    own.stage.dispose();
    mounted.delete(parentElement);
  };
}

/** @param {Element} parentElement @param {Mounted["setStateValue"]} setStateValue */
function mount(parentElement, setStateValue) {
  const host = h("div", {});
  parentElement.append(host);
  const stage = new Stage(host, {
    send(onStage, isFirst) {
      const view = { ...onStage, ...stage.lesson.report() };
      const text = JSON.stringify(view);
      if (own.key === null || stage.ahead.shown !== null || stage.isUntouched) return;
      if (text === own.sent && !isFirst) return;
      own.sent = text;
      const { path } = stage.store;
      const size = path?.bySize ? { size: path.trees[view.tree].sizes(0).leaves } : {};
      own.setStateValue("view", { key: own.key, turn: own.turn, ...view, ...size });
    },
    theme: () => themeOf(parentElement),
    recall: () => taste,
    remember: (values) => (taste = values),
    train: ({ k, node }) => own.key !== null && own.setTriggerValue("train", { key: own.key, tree: k, node }),
    bring: (name) => own.fetched(name),
    left(name) {
      if (name === own.key) {
        stage.ahead.met();
        return stage.settle();
      }
      const { k, node } = stage.store.state;
      return own.setTriggerValue("run", { key: name, turn: own.turn, tree: k, node });
    },
    paint: (painted) => own.setStateValue("painted", painted),
    edited: (report) => own.key !== null && own.setStateValue("edited", { key: own.key, ...report }),
  });
  /** @type {Mounted} */
  const own = {
    stage,
    setStateValue,
    setTriggerValue: setStateValue,
    fetched: async () => null,
    key: null,
    sent: null,
    turn: 0,
    requested: null,
    followed: "null",
    latest: {},
  };
  hearRemote(stage);
  watchConnection(stage);
  mounted.set(parentElement, own);
  return own;
}

/** Show the tree and the node that the page requests in a new turn. @param {Mounted} own */
function follow(own) {
  const { tree = null, node = null, pin = null, turn = 0, whole = null } = own.latest;
  if (turn === own.turn) return;
  own.turn = turn;
  own.sent = JSON.stringify({ tree, node, pin }); // The page must not receive its own request as a report.
  if (tree !== null) own.stage.go(tree, false);
  own.sent = JSON.stringify({ tree: own.stage.state.k, node, pin });
  own.stage.showNode(node);
  const isUsual = tree === null && own.stage.isUntouched;
  own.stage.set({ pinned: pin, request: { whole, turn, k: own.stage.state.k, node, isUsual } });
}

/**
 * Show the received contents: a path, or the concatenated scenes of a lesson.
 * @param {Pick<Mounted, "stage" | "latest">} own @param {Uint8Array<ArrayBuffer>} bytes @param {PageOptions} initial
 */
function open(own, bytes, initial) {
  const { stage } = own;
  const content = initial.lesson ?? null;
  if (!content) {
    stage.lesson.end();
    return stage.load(bytes, initial, () => present(stage, own.latest));
  }
  let end = 0;
  const blocks = content.scenes.map(({ length }) => bytes.subarray(end, (end += length)));
  return stage.lesson.begin(content, blocks, initial.moment ?? 0);
}

/**
 * Follow the row from the page once. Later changes by the user stay until the page passes another row.
 * @param {Mounted} own
 */
function hand(own) {
  const row = own.latest.row ?? null;
  const text = JSON.stringify(row);
  if (text === own.followed) return;
  own.followed = text;
  own.stage.followPageRow(row);
}

/** @param {Element} parentElement */
function themeOf(parentElement) {
  const color = getComputedStyle(/** @type {ShadowRoot & Element} */ (parentElement).host ?? parentElement)
    .getPropertyValue("--st-background-color")
    .trim();
  return /^#[0-9a-f]{6}$/i.test(color) && luminance(color) < 0.3 ? "dark" : "light";
}

/** Check regularly whether the server can be reached. @param {Stage} stage */
function watchConnection(stage) {
  const address = new URL("_stcore/health", document.baseURI);
  let misses = 0;
  stage.life.every(async () => {
    if (document.hidden) return;
    const up = await fetch(address, { cache: "no-store" }).then(
      (answer) => answer.ok,
      () => false,
    );
    misses = up ? 0 : misses + 1;
    stage.connected(misses < 2);
  }, 4000);
}

/** Listen for a stage that is alone in its page, or one of several stages in step. @param {Stage} stage */
export function hearRemote(stage) {
  const { life, linked, recorder } = stage;
  const step = (/** @type {KeyboardEvent} */ event) => {
    const { isReady, state } = stage;
    if (!event.key.startsWith("Page") || !isReady || !recorder.isOn || state.inLesson) return;
    const isFirst = linked.inStep.every((one) => one === linked || linked.isBefore(one));
    if (isFirst) recorder.buttons.key(event);
  };
  life.listen(document, "keydown", step, { capture: true });
}
