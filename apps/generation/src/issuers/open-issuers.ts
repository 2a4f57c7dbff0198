import type { Keyring } from '@rubrica/service';
import type { GenerationConfig } from '../config.ts';
import type { Issuers } from './issuer.ts';
import { readAuthorityFile } from './local/authority-file.ts';
import { openAuthorities } from './local/open-authorities.ts';

/** @throws Error when the provisioning step has not made the authorities, or their keys cannot be opened */
export async function openIssuers(
  { authority }: GenerationConfig,
  keyring: Pick<Keyring, 'open'>,
): Promise<Issuers> {
  const records = await readAuthorityFile(authority.directory);
  if (records === undefined) {
    throw new Error(`${authority.directory} holds no authorities: run "npm run provision" first`);
  }
  return openAuthorities(records, keyring.open);
}
