import type { AuthorityRecord } from '../issuers/authorities/authority-file.ts';
import { changeAuthorities, renewResponders } from '../issuers/authorities/change-authorities.ts';
import { parseAuthorityCertificate } from '../issuers/authorities/lint-and-sign.ts';
import { createIssuing } from '../issuers/authorities/make-authority.ts';
import {
  type Ceremony,
  CeremonyError,
  findLastIssuing,
  nextAuthorityNumber,
  openRoot,
  refuseWhilePending,
  toAuthorityChoices,
} from './ceremony.ts';
import { type Difference, refuseDifferences, toAuthorityTraits } from './differences.ts';
import { showAuthorities } from './status.ts';

export interface RotateOptions {
  readonly afterSeconds: number | undefined;
  readonly mayDiffer: readonly Difference[];
}

/** Creates the next issuing authority under the same root. Earlier authorities keep signing CRLs and OCSP answers. */
export async function rotate(
  ceremony: Ceremony,
  { afterSeconds, mayDiffer }: RotateOptions,
): Promise<number> {
  const { config, keys, now } = ceremony;
  // Two refresh intervals of every copy: when the first certificate names the new authority, all copies publish it.
  const delaySeconds = afterSeconds ?? 2 * config.authority.refreshSeconds;
  const activeFrom = new Date(now.getTime() + delaySeconds * 1_000);
  const change = await changeAuthorities(config.authority.directory, async (records) => {
    const last = findLastIssuing(records);
    if (last === undefined) throw new CeremonyError('There are no authorities yet: "init" makes the first.');
    refuseWhilePending(records, now);
    const root = await openRoot(records, keys);
    refuseOther(last, ceremony, mayDiffer);
    const next = await createIssuing(toAuthorityChoices(ceremony), {
      root,
      number: nextAuthorityNumber(records),
      activeFrom,
    });
    const responders = { keys, responders: keys.local, now };
    return [...((await renewResponders(records, responders)) ?? records), next];
  });
  await ceremony.audit('authorities.rotate', change);
  if (change.file === undefined) throw new Error('no authorities were written');
  return showAuthorities(ceremony, change.file);
}

function refuseOther(
  last: AuthorityRecord,
  { config: { authority } }: Ceremony,
  mayDiffer: readonly Difference[],
): void {
  const previous = toAuthorityTraits(parseAuthorityCertificate(last.name, last.certificate));
  refuseDifferences({ former: previous, formerName: last.name, next: authority }, mayDiffer);
}
