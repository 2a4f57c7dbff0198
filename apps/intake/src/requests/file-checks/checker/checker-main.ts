import { checkFile } from '../check-file.ts';
import { createDecodeImage } from '../image/decode-image.ts';
import { readyLine, verdictLine } from './answer.ts';
import { readFiles } from './frames.ts';

// This process may be killed at any moment: it holds one file in memory and nothing else. It ends with its
// parent, whose end closes the stream. The parent handles a Ctrl-C that reaches both.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

process.stdout.write(readyLine);
for await (const { file, limits } of readFiles(process.stdin)) {
  const decode = createDecodeImage(limits.image);
  process.stdout.write(verdictLine(await checkFile(file, { limits, decode })));
}
process.exit();
