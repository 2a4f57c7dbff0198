import { join } from 'node:path';
import { readJson } from '../setup/files.ts';

/** Under which names generation publishes its certificates. */
export interface AuthorityNames {
  readonly root: string;
  readonly issuing: string;
}

interface Authority {
  readonly name: string;
  readonly kind: 'root' | 'issuing';
  readonly active: boolean;
}

/** From the file that generation's provisioning step leaves in CA_DIRECTORY. */
export async function readAuthorityNames(directory: string): Promise<AuthorityNames> {
  const file = await readJson<{ authorities?: Authority[] }>(join(directory, 'authorities.json'));
  const nameOf = (kind: Authority['kind']) =>
    file?.authorities?.find((authority) => authority.kind === kind && authority.active)?.name;
  return { root: nameOf('root') ?? 'root-1', issuing: nameOf('issuing') ?? 'issuing-1' };
}
