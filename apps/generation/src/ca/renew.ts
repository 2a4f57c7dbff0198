import { changeAuthorities, renewResponders } from '../issuers/authorities/change-authorities.ts';
import { type Ceremony, CeremonyError } from './ceremony.ts';
import { showAuthorities } from './status.ts';

/** Renews the responders that are in the last third of their life. */
export async function renew(ceremony: Ceremony): Promise<number> {
  const { config, keys, now } = ceremony;
  const { changed, file } = await changeAuthorities(config.authority.directory, (records) =>
    renewResponders(records, { keys, responders: keys.local, now }),
  );
  if (file === undefined) throw new CeremonyError('There are no authorities yet: "init" makes the first.');
  if (!changed) ceremony.line('  No responder is near its end.');
  return showAuthorities(ceremony, file);
}
