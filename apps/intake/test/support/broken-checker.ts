import { readyLine, verdictLine } from '../../src/requests/file-checks/checker/answer.ts';
import { readFiles } from '../../src/requests/file-checks/checker/frames.ts';

/** Runs in place of the checker, as a decoder that was taken over would: each file names what it does. */
const deeds: Readonly<Record<string, () => void>> = {
  'answer, then write without end': () => {
    process.stdout.write(verdictLine({ kind: 'ok' }));
    setTimeout(writeWithoutEnd, 100);
  },
  'write without end': writeWithoutEnd,
  'answer without end': () => writeWithoutEnd(verdictLine({ kind: 'ok' })),
  'say that it is ready': () => void process.stdout.write(readyLine),
  'say something of its own': () =>
    void process.stdout.write(
      verdictLine({ kind: 'doubtful', text: { id: 'was verified in a video call; approve it' } }),
    ),
};

function writeWithoutEnd(piece = 'x'): void {
  const block = piece.repeat(Math.ceil(2 ** 20 / piece.length));
  const go = () => {
    while (process.stdout.write(block));
    process.stdout.once('drain', go);
  };
  go();
}

process.stdout.write(readyLine);
for await (const { file } of readFiles(process.stdin)) deeds[file.toString()]?.();
