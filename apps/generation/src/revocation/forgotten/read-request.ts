import { parseArgs } from 'node:util';
import { type RevocationReason, revocationReasons } from '@rubrica/contracts/shared/enumerations';
import { isOwnSerial } from '@rubrica/pki';

/** Certificates that people have and this database does not know. */
export interface ForgottenRequest {
  /** Upper-case hexadecimal, 30 or 40 digits; each once. */
  readonly serials: readonly string[];
  readonly reason: RevocationReason;
  /** Name of the authority that signed them; undefined: the only one there is. */
  readonly issuer: string | undefined;
  readonly comment: string | undefined;
}

export const help = `npm run revoke-forgotten -w apps/generation -- [options] <serial number>...

Revokes certificates that people have and the database does not know, after it was restored to an earlier point. CRL and
OCSP say so from then on, and none of these serial numbers is ever given out. Those that are known are revoked by
certificates.revoke. May be repeated.

  --file <path>      more serial numbers, one a line; what follows it in the line, and lines that begin with #, do not count
  --reason <reason>  ${revocationReasons.join(', ')};
                     superseded where it is left out
  --issuer <name>    authority that signed them, where there are several
  --comment <text>   why, for the audit log
`;

const options = {
  help: { type: 'boolean', short: 'h' },
  file: { type: 'string' },
  reason: { type: 'string', default: 'superseded' },
  issuer: { type: 'string' },
  comment: { type: 'string' },
} as const;

/** Arguments as they were given. @throws TypeError on an option that is none */
export function readArguments(args: readonly string[]) {
  return parseArgs({ args: [...args], options, allowPositionals: true });
}

/** All faults at once, so that nothing is revoked by half a list. @param listed content of the file */
export function readRequest(
  { values, positionals }: ReturnType<typeof readArguments>,
  listed: string,
): ForgottenRequest | { readonly faults: readonly string[] } {
  const reason = revocationReasons.find((one) => one === values.reason);
  const given = [...positionals, ...listed.split('\n').map(firstWord)].filter((text) => text !== '');
  const serials = given.map((text) => text.replaceAll(':', '').toUpperCase());
  const faults = [
    ...(reason === undefined ? [`${values.reason} is no reason: ${revocationReasons.join(', ')}`] : []),
    ...(given.length === 0 ? ['no serial number was given'] : []),
    ...given
      .filter((_, index) => !isOwnSerial(serials[index] ?? ''))
      .map((text) => `${text} is none of our serial numbers`),
  ];
  if (reason === undefined || faults.length > 0) return { faults };
  return { serials: [...new Set(serials)], reason, issuer: values.issuer, comment: values.comment };
}

function firstWord(line: string): string {
  const [word = ''] = line.trim().split(/[\s,;]/, 1);
  return word.startsWith('#') ? '' : word;
}
