import type * as evidenceContract from '@rubrica/contracts/services/schemas/evidence';
import type { Keyring } from '@rubrica/process/keyring';
import { uuidv7 } from '@rubrica/process/time';
import { makePng } from '@rubrica/testkit';
import { encryptFile } from './seal-files.ts';

type EvidenceBundle = evidenceContract.EvidenceBundle;

const ahead = 100;
const contentKey = Buffer.alloc(32, 5);

/**
 * Evidence keys are sealed for one request each, which takes a promise, while registrations are built without one: so
 * ids are made ahead, with their keys.
 */
let keyring: Pick<Keyring, 'sealTo'> | undefined;
let sealedKeys = new Map<string, string>();
let unused: string[] = [];

async function makeAhead(): Promise<void> {
  const requestId = uuidv7();
  const binding = { purpose: 'evidence-key', owner: requestId } as const;
  // Those of this keyring: the next file may have come with its own before this one has sealed.
  const [keys, ids] = [sealedKeys, unused];
  const sealedKey = await keyring?.sealTo('intake', contentKey, binding);
  if (sealedKey === undefined) return;
  keys.set(requestId, sealedKey);
  ids.push(requestId);
}

/** From now on evidence is for the intake that was started last: only that one has the key. */
export async function prepareEvidence(gateway: Pick<Keyring, 'sealTo'>): Promise<void> {
  keyring = gateway;
  sealedKeys = new Map();
  unused = [];
  for (let made = 0; made < ahead; made += 1) await makeAhead();
}

/** An id whose evidence can be opened. */
export function freshRequestId(): string {
  if (keyring === undefined) return uuidv7();
  const requestId = unused.shift();
  if (requestId === undefined) throw new Error(`more than ${ahead} registrations were built at one moment`);
  void makeAhead();
  return requestId;
}

/** A picture of that request, encrypted. Ids that were not made here have a key that nobody opens. */
export function freshEvidence(requestId: string): EvidenceBundle {
  const { content, ...sizes } = encryptFile(contentKey, makePng());
  const file = { mediaType: 'image/png', ...sizes, content };
  return {
    key: sealedKeys.get(requestId) ?? 'sealed.to.intake',
    items: [{ evidenceId: uuidv7(), file }],
    errors: [],
  };
}
