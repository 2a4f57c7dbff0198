import { identityExtensions, identityOtherNames } from '../../src/certificate/identity-fields.ts';
import { readNode } from '../../src/der/read.ts';
import * as der from '../../src/der/write.ts';
import { oids } from '../../src/oids.ts';
import type { IdentityField } from '../../src/profile/identity-fields.ts';
import { publication } from '../fixtures.ts';
import { rebuild, withExtension } from '../rebuild.ts';
import { add, type Change, drop, identified, type LintCases, named, revalue } from './lint-case.ts';

const { identityFields: settings } = publication;
const at = (number: number) => `${settings.arc}.${number}`;
const says = (number: number, text: string) => revalue(at(number), der.utf8String(text));
const field = (name: IdentityField['name'], value: string): IdentityField => ({ name, value });

/** One more name in subjectAltName. */
const alsoNamed =
  (one: IdentityField): Change =>
  (good) =>
    rebuild(
      good,
      withExtension(oids.subjectAltName, (found) => ({
        ...found,
        value: der.sequence(
          ...readNode(found.value).children.map(({ raw }) => raw),
          ...identityOtherNames([one], settings),
        ),
      })),
    );

const [city] = identityExtensions([field('city', 'Quito')], settings);
if (city === undefined) throw new Error('no field');

export const identityCases: LintCases = {
  identity_fields_form: named((good, issuer) => add(city)(good, issuer)),
  identity_fields_present: identified(drop(at(1))),
  identity_fields_known: identified(add({ ...city, oid: at(13) }), { good: drop(at(9)) }),
  identity_fields_once: named(alsoNamed(field('city', 'Cuenca'))),
  identity_fields_text: identified(revalue(at(7), der.printableString('Av. Amazonas'))),
  identity_fields_of_subject: identified(says(3, 'PAZMIÑO'), { good: says(7, 'Calle Larga') }),
};
