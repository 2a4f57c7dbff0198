import type { ParsedCertificate } from '../certificate/parse.ts';
import type { ParsedExtension } from '../certificate/parse-extensions.ts';
import { findExtension } from '../certificate/parse-extensions.ts';
import type { ParsedPublicKey } from '../certificate/public-key.ts';
import type { ParsedNameAttribute } from '../name/distinguished-name.ts';
import type { Check, Fault, LintExpectation } from './rule.ts';

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** Finds the first value that repeats an earlier one. */
export function firstRepeated(values: readonly string[]): string | undefined {
  return values.find((value, index) => values.indexOf(value) < index);
}

/** Creates a check that a certificate has this extension. */
export function hasExtension(oid: string, name: string): Check {
  return (certificate) => !findExtension(certificate, oid) && `no ${name}`;
}

/** Creates a check of one extension; a certificate without it passes. */
export function extensionCheck(
  oid: string,
  check: (
    extension: ParsedExtension,
    context: { certificate: ParsedCertificate; expected: LintExpectation },
  ) => Fault,
): Check {
  return (certificate, expected) => {
    const extension = findExtension(certificate, oid);
    return extension && check(extension, { certificate, expected });
  };
}

/**
 * Creates a check that returns the first fault of an attribute of the subject. It names the attribute, never its value,
 * because findings are logged.
 */
export function subjectCheck(
  check: (attribute: ParsedNameAttribute, expected: LintExpectation) => Fault,
): Check {
  return ({ subject }, expected) => {
    for (const attribute of subject.attributes) {
      const fault = check(attribute, expected);
      if (fault) return `${attribute.type ?? attribute.oid}: ${fault}`;
    }
    return undefined;
  };
}

type Details<Kind> = Extract<ParsedPublicKey['details'], { kind: Kind }>;

/** Creates a check of RSA keys. */
export function rsaKeyCheck(check: (details: Details<'rsa'>, key: ParsedPublicKey) => Fault): Check {
  return ({ publicKey }) => publicKey.details.kind === 'rsa' && check(publicKey.details, publicKey);
}

/** Creates a check of elliptic curve keys. */
export function ecKeyCheck(check: (details: Details<'ec'>, key: ParsedPublicKey) => Fault): Check {
  return ({ publicKey }) => publicKey.details.kind === 'ec' && check(publicKey.details, publicKey);
}
