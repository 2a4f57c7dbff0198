import { createHash } from 'node:crypto';
import { evidenceBucket } from '@rubrica/contracts/messages/messages';
import type { Stack } from '@rubrica/stack';
import { queryStack, withJetStream } from '../../e2e/support/ledger.ts';

interface StoredObject {
  readonly id: string;
  readonly chunks: number;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** Reads every object that a row names, chunk by chunk, and compares it with the row's description. */
export async function storedBytes(
  stack: Pick<Stack, 'info'>,
): Promise<{ objects: number; faults: readonly string[] }> {
  const rows = await queryStack<{ object: StoredObject }>(
    stack,
    'select object from intake.evidence where object is not null',
  );
  const faults: string[] = [];
  await withJetStream(stack, async (manager) => {
    for (const { object } of rows) {
      const hash = createHash('sha256');
      try {
        for (let n = 0; n < object.chunks; n += 1) {
          const subject = `$O.${evidenceBucket}.C.${object.id}.${n}`;
          hash.update(
            (await manager.streams.getMessage(`OBJ_${evidenceBucket}`, { last_by_subj: subject })).data,
          );
        }
        if (hash.digest('hex') !== object.sha256) faults.push(`${object.id}: other bytes than its row says`);
      } catch (error) {
        faults.push(`${object.id}: ${(error as Error).message}`);
      }
    }
  });
  return { objects: rows.length, faults };
}
