import { readAuthorityFile } from '../../issuers/authorities/authority-file.ts';
import { parsedCertificate } from '../../issuers/authorities/certify.ts';
import type { ForgottenIssuer } from './revoke-forgotten.ts';

/** The authority of that name, or the only one that ever signed certificates of subscribers. */
export async function findIssuer(
  directory: string,
  wanted: string | undefined,
): Promise<ForgottenIssuer | { readonly fault: string }> {
  const file = await readAuthorityFile(directory);
  const issuing = (file?.authorities ?? []).filter(({ kind }) => kind === 'issuing');
  const named = wanted === undefined ? issuing : issuing.filter(({ name }) => name === wanted);
  const [found, second] = named;
  if (found !== undefined && second === undefined) {
    const { name, certificate } = found;
    return { name, notAfter: parsedCertificate(name, certificate).notAfter.date };
  }
  const names = issuing.map(({ name }) => name).join(', ');
  return { fault: `--issuer must name one of the authorities of ${directory}: ${names || 'there are none'}` };
}
