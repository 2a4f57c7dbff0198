import { generateKeyPairSync } from 'node:crypto';
import { signatureRequestShape } from '@rubrica/contracts/rest/api-flow';
import { linkedPartnerShape } from '@rubrica/contracts/rest/linked-partner';
import { regularFileNames, regularShape } from '@rubrica/contracts/rest/regular';
import { simplifiedShape } from '@rubrica/contracts/rest/simplified';
import { transactionalShape } from '@rubrica/contracts/rest/transactional';
import { applicationTypes, certificateTypes, periods } from '@rubrica/contracts/shared/enumerations';
import { makeCedula } from '@rubrica/ecuador';
import { parseFields, type Shape } from '@rubrica/gateway/fields/parse-fields';
import { planCertificate } from '@rubrica/generation/issuance/plan-certificate';
import { createThrowAwaySigners, drawSerial, rehearse } from '@rubrica/generation/issuance/rehearse';
import { createAuthorities } from '@rubrica/generation/issuers/authorities/make-authority';
import { openAuthorities } from '@rubrica/generation/issuers/authorities/open-authorities';
import type { Issuer } from '@rubrica/generation/issuers/issuer';
import { createSealedKeys } from '@rubrica/generation/issuers/local/sealed-keys';
import { personSchema } from '@rubrica/intake/outside/registry/http/contract';
import { toSubject } from '@rubrica/intake/requests/issuance/issuance-order';
import { checkBody } from '@rubrica/intake/requests/registration/family-rules';
import { buildRegistration } from '@rubrica/intake/requests/registration/registration';
import { familyPlans } from '@rubrica/intake/requests/request/family-plans';
import { parseAppointmentEnd } from '@rubrica/intake/requests/request/parse-appointment-end';
import { withNames } from '@rubrica/intake/requests/validation/ask-registries';
import { uuidv7 } from '@rubrica/process/time';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';

const timeZone = 'America/Guayaquil';
const privateFields = ['address', 'phone'] as const;
const shapes = {
  TV: linkedPartnerShape,
  FR: regularShape,
  FT: transactionalShape,
  FS: simplifiedShape,
  API: signatureRequestShape,
} as const satisfies Record<string, Shape>;
type Family = keyof typeof shapes;

const words = fc.constantFrom(
  'MARÍA',
  'de la',
  'Ñúñez',
  'S.A.',
  'O’Neil',
  "D'Ávila",
  'Gerente General',
  '漢字',
  '7',
);
const odd = fc.constantFrom(
  ...['-', '.', '( )', '&', '🙂', '🇪🇨', '\u200b', '\u200d', '\u00ad', '\u3164', '\u0301', '\ufffd', '\ue000'],
  ...['\ufdd0', '\u202e', '\u00a0', '\u2003', '\ufeff', '\u0344', '\u1e9b\u0323', 'ﬁ', '\u{1d15e}', '\u0378'],
);
/** Texts that people and programs put into a field: names, signs, and anything at all. */
const texts = fc.oneof(
  { weight: 20, arbitrary: fc.array(words, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' ')) },
  {
    weight: 3,
    arbitrary: fc.array(fc.oneof(words, odd), { minLength: 1, maxLength: 30 }).map((p) => p.join('')),
  },
  {
    weight: 1,
    arbitrary: fc.array(fc.oneof(words, odd), { minLength: 1, maxLength: 30 }).map((p) => p.join(' ')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 110 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 110 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.oneof(words, odd), fc.integer({ min: 20, max: 110 }), words)
      .map(([unit, count, end]) => `${unit.repeat(count)}${end}`),
  },
);
const mostly = <Value>(arbitrary: fc.Arbitrary<Value>, other: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 40, arbitrary }, { weight: 1, arbitrary: other });
const absent = fc.constant(undefined);

const dates = fc.oneof(
  fc.constantFrom(
    '2040-12-31',
    '2040-12-31 23:59:59',
    '2040-12-31T00:00:00.0000000-05:00',
    '2040-12-31t00:00z',
  ),
  fc.stringMatching(/^20[34]\d-1[0-2]-[0-3]\d$/),
);
const emails = fc.oneof(
  fc.constantFrom(
    'maria@example.ec',
    'a&b@x.ec',
    '{x}|y@x.ec',
    'a@xn--espaa-rta.ec',
    'a/b=c@x.ec',
    'maría@x.ec',
  ),
  fc.emailAddress(),
);
const field = {
  identificationNumber: mostly(fc.integer({ min: 1, max: 9_999 }).map(makeCedula), texts),
  applicantName: texts,
  applicantLastName: texts,
  applicantSecondLastName: fc.oneof(texts, absent),
  fingerCode: mostly(fc.constant('V4333V2222'), texts),
  email: mostly(emails, texts),
  secondEmail: fc.oneof(emails, absent),
  emailAddress: mostly(emails, texts),
  cellphoneNumber: mostly(fc.constantFrom('+593991234567', '+14155552671'), texts),
  province: mostly(fc.constant('Pichincha'), texts),
  city: fc.oneof(texts, fc.constantFrom('Quito', 'Mejía')),
  address: texts,
  countryCode: fc.constant('ECU'),
  termsAndConditionsId: fc.constant('0199aa00-0000-7000-8000-000000000001'),
  documentType: fc.constant('CI'),
  applicationType: fc.constantFrom(...applicationTypes),
  certificateType: fc.constantFrom(...certificateTypes),
  period: fc.oneof(fc.constantFrom(...periods), fc.constant('ONE_WEEK')),
  referenceTransaction: fc.constant('TX-1'),
  callbackUrl: fc.oneof(fc.constant('https://partner.example.com/hook'), absent),
  companyRuc: mostly(fc.constantFrom('1793213150001', '1792060346001'), fc.oneof(texts, absent)),
  positionCompany: fc.oneof({ weight: 5, arbitrary: texts }, { weight: 1, arbitrary: absent }),
  companySocialReason: fc.oneof({ weight: 5, arbitrary: texts }, { weight: 1, arbitrary: absent }),
  expirationDateAppointment: mostly(dates, fc.oneof(texts, absent)),
  appointmentExpirationDate: mostly(dates, fc.oneof(texts, absent)),
  isIdentityCertificate: fc.constantFrom(true, undefined),
} as const;

const registrations = fc.record({
  family: fc.constantFrom(...(Object.keys(shapes) as Family[])),
  body: fc.record(field),
  registry: fc.record({ given: texts, surname: texts, secondSurname: fc.oneof(texts, fc.constant(null)) }),
  form: fc.constantFrom('extensions', 'otherName', 'none'),
});
type Case = typeof registrations extends fc.Arbitrary<infer One> ? One : never;

/** Data that a registration stores, or undefined where the gateway or intake refuses it. */
function register({ family, body }: Case, now: Date) {
  const { values, faults: found } = parseFields(shapes[family], body);
  const fields = values as Record<string, string>;
  const files = new Map(regularFileNames.map((name) => [name as string, 'image/png' as string | null]));
  const context = {
    now,
    timeZone,
    passwordConfiguration: 'PARTNER' as const,
    passwordGiven: true,
    allowLoopbackCallback: false,
    files,
  };
  if (checkBody(family, { fields, found, context }).length > 0) return undefined;
  return buildRegistration({
    input: { requestId: uuidv7(), family, fields, faults: [], files: [], sealedPassword: 'sealed' },
    partner: { id: uuidv7(), passwordConfiguration: 'PARTNER' },
    warnings: [],
    now,
    newId: uuidv7,
  });
}

/** The details with the registry's names, or undefined where its answer counts as none. */
function validate({ family, registry }: Case, details: Readonly<Record<string, unknown>>) {
  const stored = details as Parameters<typeof withNames>[0];
  if (!familyPlans[family].namesFromRegistry) return stored;
  const answer = personSchema(() => '2026-11-28').safeParse({
    birthDate: '1990-01-01',
    deceased: false,
    fingerCodeMatches: true,
    namesMatch: true,
    names: registry,
  });
  return answer.success ? withNames(stored, { outcome: 'found', person: answer.data }) : undefined;
}

let issuer: Issuer;
let throwAway: ReturnType<ReturnType<typeof createThrowAwaySigners>>;
const spki = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
  format: 'der',
  type: 'spki',
});
const now = new Date();

beforeAll(async () => {
  const keys = createSealedKeys({
    sealTo: async (_, key) => Buffer.from(key).toString('base64'),
    open: async (sealed) => Buffer.from(sealed, 'base64'),
  });
  const records = await createAuthorities({
    organization: 'Rubrica (testing only)',
    commonName: 'Rubrica Test',
    keyAlgorithm: 'P_256',
    pkiBaseUrl: 'http://pki.example.test',
    now: new Date(now.getTime() - 60_000),
    keys: { authorities: keys, responders: keys },
  });
  const { issuing } = await openAuthorities(records, { keys, now });
  if (issuing[0] === undefined) throw new Error('no authority');
  issuer = issuing[0].issuer;
  throwAway = createThrowAwaySigners()(issuer);
});

/** Generation's steps up to the linter. @throws IssuanceFailed */
async function certify(
  registration: NonNullable<ReturnType<typeof register>>,
  { details, form }: { details: Readonly<Record<string, string | boolean>>; form: Case['form'] },
): Promise<void> {
  const { id: requestId, partnerId, applicationType, certificateType, period } = registration;
  const appointment = details.expirationDateAppointment;
  const end = typeof appointment === 'string' ? parseAppointmentEnd(appointment, timeZone) : undefined;
  const order = {
    ...{ requestId, partnerId, attempt: 1, applicationType, certificateType, period },
    subject: toSubject({ ...registration, details }, privateFields),
    appointmentExpiresAt: end?.toISOString() ?? null,
    sealedPassword: null,
    passwordOrigin: 'SERVICE' as const,
    ...{ legacyPkcs12: false, keyType: 'EC-P256' as const, hasWebhook: true, isRetrieved: false },
  };
  const plan = planCertificate(order, {
    now,
    timeZone,
    issuerNotAfter: issuer.certificate.notAfter.date,
    rucPrefix: 'VATEC',
    subjectEmail: true,
    privateFields,
  });
  const publication = {
    policyArc: '1.3.6.1.4.1.32473.1',
    caIssuersUri: 'http://pki.example.test/pki/issuing.cer',
    crlUri: 'http://pki.example.test/pki/issuing.crl',
    ocspUri: 'http://pki.example.test/pki/ocsp',
    documentSigning: false,
    identityFields: { form, arc: '1.3.6.1.4.1.32473.1.3', named: privateFields },
  };
  await rehearse(
    {
      ...{ issuer, throwAway, crlShards: 1, rucPrefix: 'VATEC', keyAlgorithm: 'P_256' },
      publication: () => publication,
      warn: (findings) => {
        throw new Error(findings);
      },
    },
    plan,
    { serial: drawSerial().bytes, spki, crlShard: 0 },
  );
}

// Half a minute alone; a machine that is busy with other work takes ten times as long.
const patienceMs = 1_200_000;

it(
  'what registration takes, generation can certify: 20,000 bodies of all families',
  async () => {
    const counts = { taken: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(registrations, async (one) => {
        const registration = register(one, now);
        const details = registration && validate(one, registration.details);
        counts[details === undefined ? 'refused' : 'taken'] += 1;
        if (registration !== undefined && details !== undefined)
          await certify(registration, { details, form: one.form });
      }),
      { numRuns: 20_000 },
    );
    // Neither side may be too rare to say anything.
    expect(counts.taken).toBeGreaterThan(2_000);
    expect(counts.refused).toBeGreaterThan(2_000);
  },
  patienceMs,
);
