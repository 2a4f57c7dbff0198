import { storedFileSchema } from '@rubrica/contracts/services/schemas/evidence';
import { KeyringError } from '@rubrica/process';
import { EvidenceDamaged } from '../evidence-damaged.ts';
import type { EvidenceFile } from '../evidence-file.ts';
import type { OpenEvidence } from '../open-evidence.ts';

/** `unopenable`: no key of ours opens it. */
export const faultyOutcomes = ['missing', 'damaged', 'unopenable'] as const;
export type FaultyOutcome = (typeof faultyOutcomes)[number];
export type ScrubOutcome = 'sound' | FaultyOutcome;

const entrySchema = storedFileSchema.shape.object;

export type ScrubbedFile = EvidenceFile & { readonly requestId: string; readonly sealedKey: string };

interface Needs {
  readonly openEvidence: OpenEvidence;
  /** The same file as it stands now; undefined where it was erased. */
  readonly lookAgain: (id: string) => Promise<ScrubbedFile | undefined>;
}

/**
 * Reads a file as whoever needs it would: digest of what is stored, seal, digest of what was sent. A fault counts when
 * the row still says the same afterwards: a file that was erased or moved meanwhile is none.
 *
 * @returns undefined where it was erased
 * @throws AppError SERVICE_UNAVAILABLE where its store does not answer
 */
export async function judgeEvidence(needs: Needs, file: ScrubbedFile): Promise<ScrubOutcome | undefined> {
  const outcome = await open(needs, file);
  if (outcome === 'sound') return outcome;
  const again = await needs.lookAgain(file.id);
  if (again === undefined) return undefined;
  return placeOf(again) === placeOf(file) ? outcome : open(needs, again);
}

function placeOf({ object, content }: EvidenceFile): string {
  return JSON.stringify([object, content !== null]);
}

async function open({ openEvidence }: Needs, file: ScrubbedFile): Promise<ScrubOutcome> {
  // No store can be asked for what is no entry, which would look as if it were away.
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
