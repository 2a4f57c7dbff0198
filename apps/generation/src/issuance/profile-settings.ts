import { identityForms, isOid, privateIdentityFields } from '@rubrica/pki';
import { address, commaList, flag, setting } from '@rubrica/process/config';
import { z } from 'zod';

/** Settings for the content of subscribers' certificates. */
export const profileSettings = z.object({
  policyArc: setting(
    z.string().refine(isOid, 'must be an object identifier').default('1.3.6.1.4.1.32473.1'),
    {
      env: 'POLICY_ARC',
      about:
        "object identifier under which the operator numbers its policies; the default is RFC 5612's example",
    },
  ),
  cpsUri: setting(address(['http:', 'https:']).optional(), {
    env: 'CPS_URI',
    about: 'address of the certification practice statement',
  }),
  rucPrefix: setting(
    z
      .string()
      .regex(/^([A-Z]{3,10}|[A-Z]{2}:[A-Z]{2})$/, 'must be 3 to 10 capital letters, or of the form XX:EC')
      .default('VATEC'),
    {
      env: 'RUC_PREFIX',
      about: 'what stands before a RUC in organizationIdentifier',
    },
  ),
  documentSigning: setting(flag().default(false), {
    env: 'DOCUMENT_SIGNING_EKU',
    about:
      'adds the extended key usages documentSigning (RFC 9336), emailProtection and Adobe authentic documents',
  }),
  subjectEmail: setting(flag().default(true), {
    env: 'SUBJECT_EMAIL',
    about: "adds the applicant's e-mail address as subject alternative name",
  }),
  identityFields: z.object({
    form: setting(z.enum(identityForms).default('extensions'), {
      env: 'IDENTITY_FIELDS',
      about:
        'how the fields that Ecuadorian programs read stand in certificates: `extensions`, `otherName` or `none`',
    }),
    arc: setting(z.string().refine(isOid, 'must be an object identifier').optional(), {
      env: 'IDENTITY_FIELDS_ARC',
      about: 'object identifier under which these fields are numbered; POLICY_ARC and `.3` without it',
    }),
    named: setting(
      commaList()
        .pipe(z.array(z.enum(privateIdentityFields)))
        .default([]),
      {
        env: 'IDENTITY_FIELDS_PRIVATE',
        about: 'which of `address` and `phone` stand among them, by comma; none without it',
      },
    ),
  }),
});
