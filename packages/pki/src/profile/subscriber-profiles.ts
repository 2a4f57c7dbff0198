import type { NameAttributeKey } from '../name/attributes.ts';

const personTypes = ['NATURAL_PERSON', 'NATURAL_PERSON_WITH_RUC', 'LEGAL_REPRESENTATIVE'] as const;
export type PersonType = (typeof personTypes)[number];

const signatureTypes = ['TRADITIONAL_SIGNATURE', 'TRANSACTIONAL_SIGNATURE'] as const;
export type SignatureType = (typeof signatureTypes)[number];

/** Content and permitted use of a subscriber's certificate. The same six rows drive building and linting. */
export type SubscriberProfile = {
  person: PersonType;
  signature: SignatureType;
  /** Subject attributes in the order of the certificate; all except `localityName` are required. */
  subject: readonly NameAttributeKey[];
  /** Arcs below the operator's own policy arc. */
  policy: string;
  keyUsage: readonly KeyUsageBit[];
  /** The certificate represents an organization, so it ends with the appointment at the latest. */
  endsWithAppointment: boolean;
};

/** Bit positions of KeyUsage (RFC 5280 §4.2.1.3). */
export const keyUsageBits = {
  digitalSignature: 0,
  nonRepudiation: 1,
  keyEncipherment: 2,
  dataEncipherment: 3,
  keyAgreement: 4,
  keyCertSign: 5,
  cRLSign: 6,
  encipherOnly: 7,
  decipherOnly: 8,
} as const;
export type KeyUsageBit = keyof typeof keyUsageBits;

/** EN 319 412-2 §4.3.2, type B: signatures that bind the subscriber and that also authenticate. */
const signingUsage: readonly KeyUsageBit[] = ['digitalSignature', 'nonRepudiation'];

/** EN 319 412-2 §4.2.4 with the national layout; the tax number follows EN 319 412-1 §5.1.4. */
const subjects = {
  NATURAL_PERSON: ['countryName', 'localityName', 'surname', 'givenName', 'serialNumber', 'commonName'],
  NATURAL_PERSON_WITH_RUC: [
    'countryName',
    'localityName',
    'organizationIdentifier',
    'surname',
    'givenName',
    'serialNumber',
    'commonName',
  ],
  LEGAL_REPRESENTATIVE: [
    'countryName',
    'localityName',
    'organizationName',
    'organizationIdentifier',
    'title',
    'surname',
    'givenName',
    'serialNumber',
    'commonName',
  ],
} as const satisfies Record<PersonType, readonly NameAttributeKey[]>;

/**
 * Arc reserved for policies: the operator's own arc also contains identity fields, and an identifier must be unique.
 */
const POLICIES = 1;
const policyArcs = { NATURAL_PERSON: 1, NATURAL_PERSON_WITH_RUC: 2, LEGAL_REPRESENTATIVE: 3 } as const;
const signatureArcs = { TRADITIONAL_SIGNATURE: 1, TRANSACTIONAL_SIGNATURE: 2 } as const;

export const subscriberProfiles: readonly SubscriberProfile[] = personTypes.flatMap((person) =>
  signatureTypes.map((signature) => ({
    person,
    signature,
    subject: subjects[person],
    policy: `${POLICIES}.${policyArcs[person]}.${signatureArcs[signature]}`,
    keyUsage: signingUsage,
    endsWithAppointment: person === 'LEGAL_REPRESENTATIVE',
  })),
);

/** Returns the profile of a type of person and a kind of signature. */
export function subscriberProfile(person: PersonType, signature: SignatureType): SubscriberProfile {
  const found = subscriberProfiles.find((row) => row.person === person && row.signature === signature);
  if (found === undefined) throw new RangeError(`no profile for ${person} and ${signature}`);
  return found;
}
