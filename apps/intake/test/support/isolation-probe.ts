import { readyLine, verdictLine } from '../../src/requests/file-checks/checker/answer.ts';
import { readFiles } from '../../src/requests/file-checks/checker/frames.ts';
import { type Attack, runAttack } from './isolation-attacks.ts';

/** Runs in place of the checker, by the same launcher: each file names an attack, the answer says what became of it. */
process.stdout.write(readyLine);
for await (const { file } of readFiles(process.stdin)) {
  const outcome = await runAttack(JSON.parse(file.toString()) as Attack);
  process.stdout.write(
    verdictLine({
      kind: 'doubtful',
      text: { id: 'file.unreadable', facts: { outcome: outcome.slice(0, 300) } },
    }),
  );
}
