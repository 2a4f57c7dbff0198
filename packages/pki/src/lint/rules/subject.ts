import { nameValue } from '../../name/distinguished-name.ts';
import { oids } from '../../oids.ts';
import { sameBytes, subjectCheck } from '../checks.ts';
import { ruleTable } from '../rule.ts';

const subscriber = 'subscriber';

/** Rules on the content of the subject. Messages name attributes and never quote them, because findings are logged. */
export const subjectRules = ruleTable({
  subject_attributes_present: {
    source: "operator's profile",
    about: 'every attribute that the profile asks for is there',
    check: ({ subject }, { requiredSubject }) => {
      const missing = requiredSubject.filter((type) => !nameValue(subject, type));
      return missing.length > 0 && `missing: ${missing.join(', ')}`;
    },
  },
  subject_attributes_of_profile: {
    source: "operator's profile",
    appliesTo: subscriber,
    about: 'no attribute that the profile does not know; locality is left to choice',
    check: subjectCheck(
      ({ type }, { requiredSubject }) =>
        type !== undefined &&
        type !== 'localityName' &&
        !requiredSubject.includes(type) &&
        'not part of this profile',
    ),
  },
  subject_country_present: {
    source: 'ETSI EN 319 412-2 §4.2.4',
    about: 'countryName is there',
    check: ({ subject }) => nameValue(subject, 'countryName') === undefined && 'no countryName',
  },
  subject_common_name_present: {
    source: 'ETSI EN 319 412-2 §4.2.4',
    about: 'commonName is there',
    check: ({ subject }) => nameValue(subject, 'commonName') === undefined && 'no commonName',
  },
  subject_serial_number_present: {
    source: 'ETSI EN 319 412-2 §4.2.4',
    appliesTo: subscriber,
    about: 'serialNumber is there, so that two persons of one name differ',
    check: ({ subject }) => nameValue(subject, 'serialNumber') === undefined && 'no serialNumber',
  },
  subject_person_named: {
    source: 'ETSI EN 319 412-2 §4.2.4',
    appliesTo: subscriber,
    about: 'a person has given name and surname, or a pseudonym',
    check: ({ subject }) => {
      const named = nameValue(subject, 'givenName') && nameValue(subject, 'surname');
      const pseudonym = subject.attributes.some(({ oid }) => oid === oids.pseudonym);
      return !named && !pseudonym && 'neither given name and surname nor pseudonym';
    },
  },
  subject_pseudonym_alone: {
    source: 'ETSI EN 319 412-2 §4.2.4',
    appliesTo: subscriber,
    about: 'a pseudonym does not stand beside a name',
    check: ({ subject }) =>
      subject.attributes.some(({ oid }) => oid === oids.pseudonym) &&
      (nameValue(subject, 'givenName') ?? nameValue(subject, 'surname')) !== undefined &&
      'pseudonym beside a name',
  },
  subject_no_email_address: {
    source: 'RFC 5280 §4.1.2.6',
    about: 'an e-mail address stands in subjectAltName, not in the subject',
    check: subjectCheck(({ oid }) => oid === oids.emailAddress && 'belongs in subjectAltName'),
  },
  subject_country_code: {
    source: 'ISO 3166-1; X.520 §6.3.1',
    about: 'countryName is two upper-case letters',
    check: subjectCheck(
      ({ type, value }) =>
        type === 'countryName' && !/^[A-Z]{2}$/.test(value) && 'not two upper-case letters',
    ),
  },
  subject_serial_number_semantics: {
    source: 'ETSI EN 319 412-1 §5.1.3',
    appliesTo: subscriber,
    about: 'serialNumber is IDCEC- and the ten digits of a cédula',
    check: subjectCheck(
      ({ type, value }) =>
        type === 'serialNumber' && !/^IDCEC-\d{10}$/.test(value) && 'not IDCEC- and ten digits',
    ),
  },
  subject_organization_identifier_semantics: {
    source: "ETSI EN 319 412-1 §5.1.4; operator's profile",
    appliesTo: subscriber,
    about: 'organizationIdentifier is the configured prefix, a hyphen and the thirteen digits of a RUC',
    check: subjectCheck(({ type, value }, { rucPrefix }) => {
      if (type !== 'organizationIdentifier') return undefined;
      const number = value.startsWith(`${rucPrefix}-`) ? value.slice(rucPrefix.length + 1) : '';
      return !/^\d{13}$/.test(number) && `not ${rucPrefix}- and thirteen digits`;
    }),
  },
  subject_organization_identifier_scheme: {
    source: 'ETSI EN 319 412-1 §5.1.4',
    appliesTo: subscriber,
    severity: 'warning',
    about:
      'the prefix of organizationIdentifier is VAT, NTR, PSD or LEI, or two letters and a colon, and a country',
    check: subjectCheck(
      ({ type, value }) =>
        type === 'organizationIdentifier' &&
        !/^(VAT|NTR|PSD|LEI|[A-Z]{2}:)[A-Z]{2}-/.test(value) &&
        'prefix of a scheme that the standard does not know',
    ),
  },
  subject_differs_from_issuer: {
    source: 'RFC 5280 §4.1.2.6, §6.1',
    about: 'only what signs itself has its issuer as its subject',
    check: (certificate, { issuer }) =>
      issuer &&
      sameBytes(certificate.subject.raw, certificate.issuer.raw) &&
      'subject and issuer are the same',
  },
});
