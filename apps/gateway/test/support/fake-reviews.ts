import { createHash } from 'node:crypto';
import type * as reviewsContract from '@rubrica/contracts/services/schemas/reviews';
import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import type { OperatorUseCase, UseCase } from '@rubrica/wiring';
import type { z } from 'zod';
import { createFileSealer } from '../../src/body/files/seal-files.ts';
import { at } from './fake-time.ts';

export function sha256(data: string | Buffer) {
  return createHash('sha256').update(data).digest('hex');
}

/** An evidence as the gateway once stored it. */
export interface FakeEvidence {
  readonly operatorId: string;
  readonly key: Buffer;
  readonly file: z.output<typeof reviewsContract.openedEvidence>['file'];
  readonly address?: string | undefined;
}

export interface FakeReviews {
  /** By the hash of the link's token. */
  readonly links: Map<string, FakeEvidence | AppError>;
  /** With the hash of the token that was shown. */
  readonly opened: (Omit<z.output<typeof reviewsContract.openEvidenceInput>, 'sealedToken'> & {
    readonly tokenSha256: string;
  })[];
}

export function createFakeReviews(): FakeReviews {
  return { links: new Map(), opened: [] };
}

/** What the gateway makes of a file when a partner sends it. */
export function sealFile(bytes: Buffer) {
  const pieces: Buffer[] = [];
  const kept = {
    write: (piece: Buffer) => void pieces.push(piece),
    end: () => undefined,
    place: () => Promise.reject(new Error('not in this fake')),
    discard: () => undefined,
  };
  const sealer = createFileSealer({ open: () => kept });
  const sink = sealer.open();
  sink.write(bytes);
  const { size } = sink.end();
  return { key: sealer.key, size, sha256: sha256(bytes), stored: Buffer.concat(pieces) };
}

export function openEvidence(
  state: FakeReviews,
  keyring: Keyring,
): UseCase<'intake', 'reviews.openEvidence'> {
  return async ({ sealedToken, ...input }) => {
    const binding = { purpose: 'evidence-token', owner: 'gateway' } as const;
    const tokenSha256 = sha256(await keyring.openText(sealedToken, binding));
    state.opened.push({ ...input, tokenSha256 });
    const found = state.links.get(tokenSha256);
    if (found instanceof AppError) throw found;
    const isOwn = input.operatorId === undefined || input.operatorId === found?.operatorId;
    if (found === undefined || !isOwn) throw new AppError({ code: 'ROUTE_NOT_FOUND' });
    const id = '0197a000-0000-7000-8000-000000000111';
    const { file, key, address } = found;
    const sealedKey = await keyring.sealTo('gateway', key, {
      purpose: 'shown-evidence-key',
      owner: tokenSha256,
    });
    return {
      requestId: id,
      evidenceId: id,
      file,
      sealedKey,
      ...(address === undefined ? {} : { address }),
    };
  };
}

export const evidenceUrl = 'http://gateway.localhost/review/evidence/abc';

export function linkToEvidence(keyring: Keyring): OperatorUseCase<'reviews.evidence'> {
  return async (_, { caller: { operatorId: owner } }) => ({
    url: await keyring.sealTo('gateway', evidenceUrl, { purpose: 'evidence-link', owner }),
    expiresAt: at,
  });
}
