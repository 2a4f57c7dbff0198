import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import {
  makeIssuing,
  makeKey,
  makeRoot,
  makeSubscriberCertificate,
  parsed,
  publication,
} from '../../test/fixtures.ts';
import { mutated } from '../../test/mutate.ts';
import { rebuild, withExtension } from '../../test/rebuild.ts';
import type { ParsedCertificate } from '../certificate/parse.ts';
import { findExtension } from '../certificate/parse-extensions.ts';
import { oids } from '../oids.ts';
import { type IdentityFieldSettings, identityFieldNumbers } from '../profile/identity-fields.ts';
import { subscriberProfile } from '../profile/subscriber-profiles.ts';
import { lintCertificate, subscriberExpectation } from './lint.ts';
import type { LintExpectation } from './rule.ts';

/** Damage anywhere in a certificate seldom meets one extension, and then its length no longer fits: here the rest is whole. */
interface Sample {
  readonly der: Uint8Array;
  readonly view: ParsedCertificate;
  readonly expected: LintExpectation;
}

let samples: Record<'extensions' | 'otherName', Sample>;
const { arc } = publication.identityFields;

beforeAll(async () => {
  const issuing = await makeIssuing(await makeRoot());
  const sample = async (form: IdentityFieldSettings['form']): Promise<Sample> => {
    const identityFields = { ...publication.identityFields, form };
    const der = await makeSubscriberCertificate(issuing, makeKey('ec'), {
      publication: { ...publication, identityFields },
      email: undefined,
    });
    const expected = subscriberExpectation({
      profile: subscriberProfile('LEGAL_REPRESENTATIVE', 'TRADITIONAL_SIGNATURE'),
      issuer: issuing.parsed,
      policyArc: publication.policyArc,
      rucPrefix: 'VATEC',
      identityFields,
      keyAlgorithm: 'P_256',
      notAfterLimit: new Date('2028-03-01T11:59:59Z'),
    });
    return { der, view: parsed(der), expected };
  };
  samples = { extensions: await sample('extensions'), otherName: await sample('otherName') };
});

/** Findings of the certificate with one of these extensions damaged in 5,000 ways, and whether it was another one afterwards. */
function damage(
  form: keyof typeof samples,
  ids: readonly string[],
  check: (findings: number, changed: boolean) => void,
) {
  const { der, view, expected } = samples[form];
  expect(lintCertificate(der, expected)).toEqual([]);
  const damaged = ids.map((id) => {
    const good = findExtension(view, id)?.value;
    if (good === undefined) throw new RangeError(id);
    return mutated(good).map((value) => ({ id, value, changed: Buffer.compare(value, good) !== 0 }));
  });
  fc.assert(
    fc.property(fc.oneof(...damaged), ({ id, value, changed }) => {
      const bad = rebuild(
        der,
        withExtension(id, (extension) => ({ ...extension, value })),
      );
      check(lintCertificate(bad, expected).length, changed);
    }),
    { numRuns: 5_000 },
  );
}

const { address, phone, ...ofSubject } = identityFieldNumbers;
const idsOf = (numbers: Readonly<Record<string, number>>) =>
  Object.values(numbers).map((number) => `${arc}.${number}`);

it('finds whatever becomes of the identity fields that the subject says too', () => {
  damage('extensions', idsOf(ofSubject), (findings, changed) => expect(findings > 0).toBe(changed));
});

it('reads whatever becomes of address and phone, which may be other texts as well', () => {
  const found = new Set<boolean>();
  damage('extensions', idsOf({ address, phone }), (findings) => found.add(findings > 0));
  expect(found.size).toBe(2);
});

it('reads whatever becomes of other names', () => {
  const found = new Set<boolean>();
  damage('otherName', [oids.subjectAltName], (findings) => found.add(findings > 0));
  expect(found.size).toBe(2);
});

it('finds whatever becomes of the purposes of a key', () => {
  damage('extensions', [oids.extKeyUsage], (findings, changed) => expect(findings > 0).toBe(changed));
});
