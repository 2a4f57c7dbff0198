import { parseArgs } from 'node:util';
import { type RevocationReason, revocationReasons } from '@rubrica/contracts/shared/enumerations';
import { isOwnSerial } from '@rubrica/pki';

/** Certificates that exist but are not in this database. */
export interface ForgottenRequest {
  /** Upper-case hexadecimal, 30 or 40 digits, without duplicates. */
  readonly serials: readonly string[];
  readonly reason: RevocationReason;
  /** Name of the authority that signed them; undefined where there is only one. */
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

/**
 * Parses the arguments.
 * @throws TypeError on an unknown option
 */
export function readArguments(args: readonly string[]) {
  return parseArgs({ args: [...args], options, allowPositionals: true });
}

/**
 * Validates the request and reports all faults at once, so that half a list is never revoked.
 * @param listed content of the file
 */
export function readRequest(
  { values, positionals }: ReturnType<typeof readArguments>,
  listed: string,
): ForgottenRequest | { readonly faults: readonly string[] } {
  const reason = revocationReasons.find((candidate) => candidate === values.reason);
  const entries = [...positionals, ...listed.split('\n').map(firstWord)].filter((text) => text !== '');
  const serials = entries.map((text) => text.replaceAll(':', '').toUpperCase());
  const faults = [
    ...(reason === undefined ? [`${values.reason} is no reason: ${revocationReasons.join(', ')}`] : []),
    ...(entries.length === 0 ? ['no serial number was given'] : []),
    ...entries
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
