import type { Code } from '../markdown/code.ts';
import { curl } from './curl.ts';
import { java } from './java.ts';
import { python } from './python.ts';
import type { SampleCall } from './sample.ts';
import { typescript } from './typescript.ts';

const writers = [
  ['bash', curl],
  ['typescript', typescript],
  ['python', python],
  ['java', java],
] as const;

/** A call to copy, in each language that can make it. */
export function samplesOf(call: SampleCall): Code[] {
  const able = call.isBinary ? writers.slice(0, 1) : writers;
  return able.flatMap(([language, write]) => {
    const text = write(call);
    return text === undefined ? [] : [{ language, text }];
  });
}
