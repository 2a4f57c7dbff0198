import { checkFile } from '../check-file.ts';
import { createDecodeImage } from '../image/decode-image.ts';
import type { FileLimits } from '../limits.ts';
import { readyLine, verdictLine } from './answer.ts';
import { framesOf } from './frames.ts';

// A process of its own, which may be killed at any moment: it holds one file in memory and nothing else. It ends
// with its parent, whose end closes the stream; a Ctrl-C that reaches both is the parent's to answer.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const limits = JSON.parse(process.argv[2] ?? '') as FileLimits;
const needs = { limits, decode: createDecodeImage(limits.image) };

process.stdout.write(readyLine);
for await (const file of framesOf(process.stdin))
  process.stdout.write(verdictLine(await checkFile(file, needs)));
process.exit();
