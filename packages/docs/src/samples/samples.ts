import type { Code } from '../markdown/code.ts';
import { writeCurl } from './curl.ts';
import { writeJava } from './java.ts';
import { writePython } from './python.ts';
import type { SampleCall } from './sample.ts';
import { writeTypescript } from './typescript.ts';

const writers = [
  ['bash', writeCurl],
  ['typescript', writeTypescript],
  ['python', writePython],
  ['java', writeJava],
] as const;

/** Writes a call to copy, in each language that can make it. */
export function writeSamples(call: SampleCall): Code[] {
  const able = call.isBinary ? writers.slice(0, 1) : writers;
  return able.flatMap(([language, write]) => {
    const text = write(call);
    return text === undefined ? [] : [{ language, text }];
  });
}
