import type { AuthorityRecord } from '../issuers/authorities/authority-file.ts';
import { changeAuthorities, renewResponders } from '../issuers/authorities/change-authorities.ts';
import { createIssuing } from '../issuers/authorities/make-authority.ts';
import { type Ceremony, CeremonyError, choicesOf, formatInstant, openRoot } from './ceremony.ts';
import { showAuthorities } from './status.ts';

/** Makes the next issuing authority under the same root; those before it stay for CRLs and OCSP. */
export async function rotate(ceremony: Ceremony, afterSeconds: number | undefined): Promise<number> {
  const { config, keys, now } = ceremony;
  // Two looks of every copy: when the first certificate names the new authority, all of them publish it.
  const delaySeconds = afterSeconds ?? 2 * config.authority.refreshSeconds;
  const activeFrom = new Date(now.getTime() + delaySeconds * 1_000);
  const change = await changeAuthorities(config.authority.directory, async (records) => {
    refuseUnready(records, now);
    const root = await openRoot(records, keys);
    const next = await createIssuing(choicesOf(ceremony), { root, number: nextNumber(records), activeFrom });
    const responders = { keys, responders: keys.local, now };
    return [...((await renewResponders(records, responders)) ?? records), next];
  });
  await ceremony.audit('authorities.rotate', change);
  if (change.file === undefined) throw new Error('no authorities were written');
  return showAuthorities(ceremony, change.file);
}

function refuseUnready(records: readonly AuthorityRecord[], now: Date): void {
  if (records.length === 0) throw new CeremonyError('There are no authorities yet: "init" makes the first.');
  const waiting = records.find(({ activeFrom }) => activeFrom !== null && new Date(activeFrom) > now);
  if (waiting?.activeFrom) {
    const from = formatInstant(new Date(waiting.activeFrom));
    throw new CeremonyError(`${waiting.name} takes over at ${from}; rotate again after that.`);
  }
}

function nextNumber(records: readonly AuthorityRecord[]): number {
  return 1 + Math.max(0, ...records.map(({ name }) => Number(/^issuing(?:-(\d+))?$/.exec(name)?.[1] ?? 1)));
}
