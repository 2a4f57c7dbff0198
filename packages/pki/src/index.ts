export { type KeyAlgorithm, keyAlgorithms, type SignatureAlgorithm } from './certificate/algorithms.ts';
export {
  authorityTbs,
  type IssuerIdentity,
  type Publication,
  responderTbs,
  subscriberTbs,
} from './certificate/build.ts';
export { isCertifiableEmail, keyIdentifier } from './certificate/extensions.ts';
export { forEachSlice } from './certificate/for-each-slice.ts';
export { keySigner, verifySigned } from './certificate/key-signer.ts';
export {
  type CertificateFault,
  type ParsedCertificate,
  parseCertificate,
  sameTbs,
} from './certificate/parse.ts';
export type { ParsedPublicKey } from './certificate/public-key.ts';
export { formatSerial, isOwnSerial, SERIAL_RANDOM_BYTES, serialFromRandom } from './certificate/serial.ts';
export { type Signer, signCertificate, type ToBeSigned } from './certificate/tbs.ts';
export { type TransportNames, type TransportPurpose, transportTbs } from './certificate/transport.ts';
export { crlTbs, crlTbsParts, signCrl, signCrlParts } from './crl/build.ts';
export { type CrlEntry, crlEntryWriter } from './crl/entry.ts';
export { type CrlFault, type ParsedCrl, parseCrl, parseCrlScope } from './crl/parse.ts';
export { type RevocationReason, revocationReasons } from './crl/revocation-reasons.ts';
export { isOid } from './der/write.ts';
export {
  authorityExpectation,
  blocksIssuance,
  lintCertificate,
  lintRules,
  responderExpectation,
  subscriberExpectation,
} from './lint/lint.ts';
export type { LintExpectation, LintFinding, LintRule, LintSeverity } from './lint/rule.ts';
export type { NameAttribute, NameAttributeKey } from './name/attributes.ts';
export { findProhibitedCharacter, isPlaceholder } from './name/bounded-text.ts';
export { isCertifiableText, maxNameLength } from './name/certifiable-text.ts';
export { formatName, nameValue, type ParsedName } from './name/distinguished-name.ts';
export {
  encodeCertId,
  type IssuerHashes,
  isIssuedBy,
  issuerHashes,
  type OcspCertId,
  type OcspHashAlgorithm,
  type OcspHashParameters,
  responderKeyId,
} from './ocsp/cert-id.ts';
export {
  type OcspResponseFault,
  type ParsedOcspResponse,
  type ParsedSingleResponse,
  parseOcspResponse,
} from './ocsp/parse-response.ts';
export { type OcspRequest, type OcspRequestFault, ocspRequest, parseOcspRequest } from './ocsp/request.ts';
export {
  type OcspErrorStatus,
  type OcspSingleResponse,
  type OcspStatus,
  ocspError,
  ocspResponseTbs,
  signOcspResponse,
} from './ocsp/response.ts';
export { maxPkcs12Iterations } from './pkcs12/key-derivation.ts';
export { type Pkcs12Content, type Pkcs12Fault, readPkcs12, readPkcs12Protection } from './pkcs12/read.ts';
export {
  type Pkcs12Encoding,
  type Pkcs12Input,
  type Pkcs12Writer,
  preparePkcs12,
  writePkcs12,
} from './pkcs12/write.ts';
export {
  type AuthorityProfile,
  authorityProfiles,
  ocspResponderProfile,
  type ResponderProfile,
} from './profile/authority-profiles.ts';
export {
  type IdentityField,
  type IdentityFieldSettings,
  identityFields,
  identityForms,
  privateIdentityFields,
} from './profile/identity-fields.ts';
export { type Subject, type SubjectFault, type Subscriber, subscriberSubject } from './profile/subject.ts';
export {
  type PersonType,
  type SignatureType,
  type SubscriberProfile,
  subscriberProfile,
} from './profile/subscriber-profiles.ts';
export {
  authorityValidity,
  periodEnd,
  responderValidity,
  subscriberValidity,
  type Validity,
  type ValidityFault,
  type ValidityPeriod,
} from './profile/validity.ts';
export { certificationRequestTbs, signCertificationRequest } from './request/build.ts';
export {
  type CertificationRequestFault,
  detectKeyAlgorithm,
  type ParsedCertificationRequest,
  parseCertificationRequest,
  provesPossession,
} from './request/parse.ts';
export type { Result } from './result.ts';
