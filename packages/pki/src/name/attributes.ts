/**
 * Attribute types of a distinguished name: identifier, upper bound in characters and string type.
 *
 * String types: RFC 5280 §4.1.2.4 and Appendix A.1 (PrintableString if the definition leaves no choice, UTF8String
 * otherwise). Bounds: RFC 5280 Appendix A.1, which is the profile of X.520 that readers follow: 64 for most. Surname
 * and given name have its ub-name of 32,768, so two names of 100 letters each fit completely. X.520's ub-surname and
 * ub-given-name of 64 belong to its editions up to 2005 and not to that profile. `organizationIdentifier` has no bound
 * in X.520; 64 is in line with the others.
 */
export const nameAttributes = {
  countryName: { oid: '2.5.4.6', short: 'C', maxLength: 2, encoding: 'printable' },
  localityName: { oid: '2.5.4.7', short: 'L', maxLength: 128, encoding: 'utf8' },
  organizationName: { oid: '2.5.4.10', short: 'O', maxLength: 64, encoding: 'utf8' },
  organizationalUnitName: { oid: '2.5.4.11', short: 'OU', maxLength: 64, encoding: 'utf8' },
  organizationIdentifier: {
    oid: '2.5.4.97',
    short: 'organizationIdentifier',
    maxLength: 64,
    encoding: 'utf8',
  },
  commonName: { oid: '2.5.4.3', short: 'CN', maxLength: 64, encoding: 'utf8' },
  surname: { oid: '2.5.4.4', short: 'SN', maxLength: 201, encoding: 'utf8' },
  givenName: { oid: '2.5.4.42', short: 'GN', maxLength: 201, encoding: 'utf8' },
  serialNumber: { oid: '2.5.4.5', short: 'serialNumber', maxLength: 64, encoding: 'printable' },
  title: { oid: '2.5.4.12', short: 'title', maxLength: 64, encoding: 'utf8' },
} as const satisfies Record<string, NameAttributeType>;

export type NameAttributeType = {
  oid: string;
  short: string;
  maxLength: number;
  encoding: 'printable' | 'utf8';
};

export type NameAttributeKey = keyof typeof nameAttributes;

/** One attribute of a name, in its own relative distinguished name. */
export type NameAttribute = { type: NameAttributeKey; value: string };

const byOid = new Map<string, NameAttributeKey>(
  Object.entries(nameAttributes).map(([key, { oid }]) => [oid, key as NameAttributeKey]),
);

/** Finds the attribute type with this identifier, if we use it. */
export function attributeByOid(oid: string): NameAttributeKey | undefined {
  return byOid.get(oid);
}

/** Tells whether text fits PrintableString, which has no `@`, `&`, `_` or letters beyond ASCII (X.680 §41.4). */
export function isPrintable(text: string): boolean {
  return /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text);
}
