// A guess before the answer: a number on a scale, or one of several choices. Later, the guess and the correct answer
// are shown together.

import { ARROWS, h, valueBeside } from "../elements/dom.js";
import { count } from "../model/number_text.js";

// Keys that move a slider. Page Up and Page Down turn the pages of the lesson.
const MOVES = new Set([...Object.keys(ARROWS), "Home", "End"]);

/** Return the position of a value on the scale, in percent. @param {Guess} guess @param {number} value */
export function placeOf({ low, high }, value) {
  return (100 * (Math.min(high, Math.max(low, value)) - low)) / (high - low);
}

/** Return the step in the middle of the scale, from which arrow keys begin. @param {Guess} guess */
export function middleOf({ low, high, step }) {
  return low + step * Math.round((high - low) / step / 2);
}

/** Return a value with its unit. @param {Guess} guess @param {number} value */
export function guessText({ unit, digits }, value) {
  const words = digits ? value.toFixed(digits) : count(Math.round(value));
  return unit ? `${words}\u00a0${unit}` : words;
}

/**
 * Return a text that compares the guess with the correct answer.
 * @param {Guess} guess @param {number} truth @param {number | null} guessed
 */
export function verdictOf(guess, truth, guessed) {
  const { choices, low, high } = guess;
  if (choices.length) {
    const [right, yours] = [truth, guessed ?? truth].map((i) => `'${choices[i]}'`);
    if (guessed === null) return `The answer is ${right}.`;
    return guessed === truth ? `You guessed ${yours}: correct.` : `You guessed ${yours}; the answer is ${right}.`;
  }
  const right = guessText(guess, truth);
  if (guessed === null) return `The answer is ${right}.`;
  const yours = guessText(guess, guessed);
  if (yours === right) return `You guessed ${yours}: correct.`;
  return `You guessed ${yours}${Math.abs(guessed - truth) <= (high - low) / 20 ? ", which is close" : ""}; the answer is ${right}.`;
}

/**
 * Return the input field for a guess. `on` receives the guess.
 * @param {Guess} guess @param {(value: number) => void} on
 */
export function guessField(guess, on) {
  const { choices, low, high, step } = guess;
  if (choices.length) {
    const buttons = choices.map((words, i) =>
      h("button", { class: "choice", "data-testid": `lesson-choice-${i}`, onclick: () => on(i) }, words),
    );
    return h("div", { class: "guess", role: "group", "aria-label": "Your guess" }, buttons);
  }
  const scale = { ...guess, digits: Number.isInteger(low) && Number.isInteger(high) ? 0 : guess.digits };
  const ends = `${guessText({ ...scale, unit: "" }, low)} to ${guessText(scale, high)}`;
  const shown = valueBeside(`Click or drag: ${ends}`);
  const slider = /** @type {HTMLInputElement} */ (
    h("input", {
      ...{ type: "range", class: "unset", min: low, max: high, step, value: middleOf(guess) },
      ...{ "aria-label": "Your guess", "aria-valuetext": `not set; ${ends}`, "data-testid": "lesson-guess" },
    })
  );
  const button = /** @type {HTMLButtonElement} */ (
    h(
      "button",
      {
        ...{ class: "primary", "data-testid": "lesson-guess-made", disabled: true },
        onclick: () => on(Number(slider.value)),
      },
      "Submit guess",
    )
  );
  const set = () => {
    shown.textContent = guessText(guess, Number(slider.value));
    slider.setAttribute("aria-valuetext", shown.textContent);
    slider.classList.remove("unset");
    button.disabled = false;
  };
  // A range input always has a value. A press on this value, or a key at the end of the scale, causes no input event.
  for (const kind of ["input", "pointerup"]) slider.addEventListener(kind, set);
  slider.addEventListener("keydown", ({ key }) => MOVES.has(key) && set());
  // On a phone, the value and the button may be below the fold. They move once the finger is up.
  slider.addEventListener("pointerup", () => button.scrollIntoView({ block: "nearest" }));
  return h("div", { class: "guess" }, h("div", { class: "slide" }, slider, shown), button);
}

/**
 * Return the guess and the correct answer on one scale, or marked among the choices.
 * @param {Guess} guess @param {number} truth @param {number | null} guessed
 */
export function guessOutcome(guess, truth, guessed) {
  const words = h("p", { class: "verdict", "data-testid": "lesson-verdict" }, verdictOf(guess, truth, guessed));
  if (guess.choices.length) return h("div", { class: "outcome" }, words);
  /** @param {string} kind @param {number} value @param {string} text */
  const mark = (kind, value, text) => {
    const place = placeOf(guess, value);
    const label = h("b", { style: `transform: translateX(-${place}%)` }, text);
    return h("i", { class: kind, style: `left: ${place}%` }, label);
  };
  const marks = [guessed === null ? null : mark("yours", guessed, "you"), mark("truth", truth, "answer")];
  return h("div", { class: "outcome" }, words, h("div", { class: "scale", "aria-hidden": "true" }, marks));
}
