import { readAuthorityFile } from '../../issuers/authorities/authority-file.ts';
import { parseAuthorityCertificate } from '../../issuers/authorities/lint-and-sign.ts';
import type { ForgottenIssuer } from './revoke-forgotten.ts';

/** Finds the authority of that name, or the only one that ever signed subscribers' certificates. */
export async function findIssuer(
  directory: string,
  requested: string | undefined,
): Promise<ForgottenIssuer | { readonly fault: string }> {
  const file = await readAuthorityFile(directory);
  const issuing = (file?.authorities ?? []).filter(({ kind }) => kind === 'issuing');
  const matches = requested === undefined ? issuing : issuing.filter(({ name }) => name === requested);
  const [found, second] = matches;
  if (found !== undefined && second === undefined) {
    const { name, certificate } = found;
    return { name, notAfter: parseAuthorityCertificate(name, certificate).notAfter.date };
  }
  const names = issuing.map(({ name }) => name).join(', ');
  return { fault: `--issuer must name one of the authorities of ${directory}: ${names || 'there are none'}` };
}
