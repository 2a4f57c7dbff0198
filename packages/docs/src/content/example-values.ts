/** UUID of every example. */
const id = '0197a2b4-6d0e-7c44-9d0a-3f6e2b8c1d70';

/** Example texts by field name, for fields whose schema only declares a text. */
export const textByName: Readonly<Record<string, string>> = {
  accessToken: 'eyJ…',
  action: 'certificate.issued',
  actor: 'operator:admin@example.com',
  approvalId: `intake.${id}`,
  clientId: 'acme',
  destination: 'https://acme.example:443',
  identificationNumber: '0102030405',
  issuer: 'CN=Rubrica Issuing 1, O=Rubrica, C=EC',
  month: '2026-11',
  name: 'Acme',
  key: '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAER07rEZYhf/cl/fvGgABl7kpAsO+Q\nteZWpEyQMKWrX3tqUCPRzMXXo1fkpOHN+nmYvtwn+Q6NmcBU8V2a4iu0Ew==\n-----END PUBLIC KEY-----\n',
  newPassword: 'un sauce llora en la quebrada 7',
  operator: 'reviewer@example.com',
  proposedBy: 'admin@example.com',
  reason: 'asked for in ticket 4711',
  referenceTransaction: 'ORDER-1',
  secret: 'whsec_…',
  shownSha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  serialNumber: '0A1B2C3D4E5F',
  subject: 'CN=MARÍA JOSÉ ÑÚÑEZ, C=EC',
  version: '2026-11',
};

export const numberByName: Readonly<Record<string, number>> = {
  durationMs: 84,
  expiresIn: 1_800,
  limit: 25,
  size: 48_213,
};

/** Ends are in the future, and beginnings precede other instants. */
export const instantByName: Readonly<Record<string, string>> = {
  expiresAt: `${new Date().getUTCFullYear() + 1}-06-30T14:05:00.000Z`,
  from: '2026-11-22T14:05:00.000Z',
};

export const textByFormat: Readonly<Record<string, string>> = {
  uuid: id,
  email: 'admin@example.com',
  'date-time': '2026-11-23T14:05:00.000Z',
  uri: 'https://acme.example/webhooks',
};
