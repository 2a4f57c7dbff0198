import { expect, it } from 'vitest';
import { collectingSink } from './decode-document.ts';
import { createJsonDecoder } from './decoder.ts';

const documentBytes = 2_000_000;
const chunkBytes = 64 * 1024;
/** Measured: less than 10, and 100 to 160 while each escape was handled by itself. */
const mostTimes = 30;

function decode(document: Buffer, files: readonly string[]): void {
  const plan = { maxFieldBytes: documentBytes, maxBytesOf: () => documentBytes, files };
  const decoder = createJsonDecoder(plan, collectingSink);
  for (let at = 0; at < document.length; at += chunkBytes)
    decoder.push(document.subarray(at, at + chunkBytes));
  decoder.end();
}

/** Least CPU time of the thread, in microseconds. */
function measureCpu(work: () => void): number {
  const times = Array.from({ length: 4 }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
}

it.each([
  ['a file', '\\/', ['scan']],
  ['a file', '\\u0041', ['scan']],
  ['a field', '\\t', []],
  ['a field', '\\ud83d\\ude00', []],
])(
  '%s of nothing but the escape %s costs not many times what the runtime’s parser takes',
  (_where, unit, files) => {
    const document = Buffer.from(`{"scan":"${unit.repeat(documentBytes / unit.length)}"}`);
    // Several times over: the clock of CPU time may tick in steps of 4 ms.
    const parsing = measureCpu(() => {
      for (let times = 0; times < 8; times += 1) JSON.parse(document.toString('utf8'));
    });
    expect(measureCpu(() => decode(document, files))).toBeLessThan((parsing / 8) * mostTimes);
  },
);
