// Answer the questions of Python tests about the browser's model. Input: a line of JSON, {payload: path of a file or
// null, question, given}. Output: a line of JSON, {answer} or {error}.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";

import { decode, inflate } from "../../viz/stage/model/payload.js";
import * as questions from "./questions.js";

const paths = new Map();

for await (const line of createInterface({ input: process.stdin })) {
  const { payload, question, given } = JSON.parse(line);
  let said;
  try {
    if (payload !== null && !paths.has(payload)) paths.set(payload, decode(await inflate(await readFile(payload))));
    said = { answer: questions[question](paths.get(payload), ...given) };
  } catch (error) {
    said = { error: error.stack };
  }
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
