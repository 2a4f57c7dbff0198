import { changeAuthorities } from '../issuers/authorities/change-authorities.ts';
import { createAuthorities } from '../issuers/authorities/make-authority.ts';
import { type Ceremony, CeremonyError, toAuthorityChoices } from './ceremony.ts';
import { showAuthorities } from './status.ts';

/** Creates root, issuing authority and responder where none exist. */
export async function init(ceremony: Ceremony): Promise<number> {
  const { directory, issuer } = ceremony.config.authority;
  if (issuer === 'pkcs11') {
    throw new CeremonyError(
      'A root in an HSM has a token of its own: "root init" makes it there, "request" the issuing key here.',
    );
  }
  const change = await changeAuthorities(directory, async (records) => {
    if (records.length > 0)
      throw new CeremonyError(`${directory} holds authorities already; they stay as they are.`);
    return createAuthorities(toAuthorityChoices(ceremony));
  });
  await ceremony.audit('authorities.init', change);
  if (change.file === undefined) throw new Error('no authorities were written');
  return showAuthorities(ceremony, change.file);
}
