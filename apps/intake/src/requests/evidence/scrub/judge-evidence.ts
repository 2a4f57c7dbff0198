import { storedFileSchema } from '@rubrica/contracts/services/schemas/evidence';
import { KeyringError } from '@rubrica/process/keyring';
import { EvidenceDamaged } from '../evidence-damaged.ts';
import type { EvidenceFile } from '../evidence-file.ts';
import type { OpenEvidence } from '../open-evidence.ts';

/** `unopenable`: none of our keys opens it. */
export const faultyOutcomes = ['missing', 'damaged', 'unopenable'] as const;
export type FaultyOutcome = (typeof faultyOutcomes)[number];
export type ScrubOutcome = 'sound' | FaultyOutcome;

const entrySchema = storedFileSchema.shape.object;

export type ScrubbedFile = EvidenceFile & { readonly requestId: string; readonly sealedKey: string };

interface JudgeDeps {
  readonly openEvidence: OpenEvidence;
  /** Reads the same file as it is now; undefined if it was erased. */
  readonly lookAgain: (id: string) => Promise<ScrubbedFile | undefined>;
}

/**
 * Reads a file as its users would: digest of the stored bytes, seal, digest of the sent bytes. A fault counts
 * only if the row is unchanged afterwards: a file that was erased in between has none, and one that moved is read again.
 * @returns undefined if it was erased
 * @throws AppError SERVICE_UNAVAILABLE if its store does not answer
 */
export async function judgeEvidence(deps: JudgeDeps, file: ScrubbedFile): Promise<ScrubOutcome | undefined> {
  const outcome = await open(deps, file);
  if (outcome === 'sound') return outcome;
  const current = await deps.lookAgain(file.id);
  if (current === undefined) return undefined;
  return describeLocation(current) === describeLocation(file) ? outcome : open(deps, current);
}

function describeLocation({ object, content }: EvidenceFile): string {
  return JSON.stringify([object, content !== null]);
}

async function open({ openEvidence }: JudgeDeps, file: ScrubbedFile): Promise<ScrubOutcome> {
  // A store cannot be asked for an invalid entry, and it would then seem unavailable.
  if (file.object !== null && !entrySchema.safeParse(file.object).success) return 'damaged';
  try {
    const openFile = await openEvidence(file);
    await openFile(file);
    return 'sound';
  } catch (fault) {
    if (fault instanceof EvidenceDamaged) return fault.fault;
    if (fault instanceof KeyringError) return 'unopenable';
    throw fault;
  }
}
