import { changeAuthorities, renewResponders } from '../issuers/authorities/change-authorities.ts';
import { type Ceremony, CeremonyError } from './ceremony.ts';
import { showAuthorities } from './status.ts';

/** Renews responders in the last third of their validity. */
export async function renew(ceremony: Ceremony): Promise<number> {
  const { config, keys, now } = ceremony;
  const change = await changeAuthorities(config.authority.directory, (records) =>
    renewResponders(records, { keys, responders: keys.local, now }),
  );
  await ceremony.audit('authorities.renew', change);
  if (change.file === undefined)
    throw new CeremonyError('There are no authorities yet: "init" makes the first.');
  if (!change.changed) ceremony.line('  No responder is near its end.');
  return showAuthorities(ceremony, change.file);
}
