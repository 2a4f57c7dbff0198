export {
  type KeyAlgorithm,
  keyAlgorithms,
  type SignatureAlgorithm,
  signatureAlgorithmIdentifier,
} from './certificate/algorithms.ts';
export {
  authorityTbs,
  holderPolicy,
  holderTbs,
  type IssuerIdentity,
  type Publication,
  responderTbs,
} from './certificate/build.ts';
export { isCertifiableEmail, keyIdentifier } from './certificate/extensions.ts';
export { keySigner } from './certificate/key-signer.ts';
export {
  type CertificateFault,
  type ParsedCertificate,
  parseCertificate,
  sameTbs,
} from './certificate/parse.ts';
export { formatSerial, SERIAL_RANDOM_BYTES, serialFromRandom } from './certificate/serial.ts';
export { assembleCertificate, type Signer, signCertificate } from './certificate/tbs.ts';
export { assembleCrl, crlTbs, signCrl } from './crl/build.ts';
export { type CrlEntry, encodeCrlEntry } from './crl/entry.ts';
export { type CrlFault, type ParsedCrl, parseCrl } from './crl/parse.ts';
export { type RevocationReason, revocationReasons } from './crl/revocation-reasons.ts';
export { isOid } from './der/write.ts';
export {
  authorityExpectation,
  blocksIssuance,
  holderExpectation,
  lintCertificate,
  lintRules,
  responderExpectation,
} from './lint/lint.ts';
export type { LintExpectation, LintFinding, LintRule, LintSeverity } from './lint/rule.ts';
export { type NameAttribute, type NameAttributeKey, nameAttributes } from './name/attributes.ts';
export { encodeName, formatName, nameValue, type ParsedName } from './name/distinguished-name.ts';
export {
  encodeCertId,
  type IssuerHashes,
  isIssuedBy,
  issuerHashes,
  type OcspCertId,
  type OcspHashAlgorithm,
  ocspHashAlgorithms,
  responderKeyId,
} from './ocsp/cert-id.ts';
export {
  type OcspResponseFault,
  type ParsedOcspResponse,
  type ParsedSingleResponse,
  parseOcspResponse,
} from './ocsp/parse-response.ts';
export {
  MAX_OCSP_REQUEST_BYTES,
  type OcspRequest,
  type OcspRequestFault,
  ocspRequest,
  parseOcspRequest,
} from './ocsp/request.ts';
export {
  type OcspErrorStatus,
  type OcspSingleResponse,
  type OcspStatus,
  ocspError,
  ocspResponseTbs,
  signOcspResponse,
} from './ocsp/response.ts';
export { type Pkcs12Content, type Pkcs12Fault, readPkcs12 } from './pkcs12/read.ts';
export {
  DEFAULT_ITERATIONS,
  type Pkcs12Encoding,
  type Pkcs12Input,
  pkcs12Encodings,
  writePkcs12,
} from './pkcs12/write.ts';
export {
  type AuthorityProfile,
  authorityProfiles,
  ocspResponderProfile,
  type ResponderProfile,
} from './profile/authority-profiles.ts';
export {
  type HolderProfile,
  holderProfile,
  holderProfiles,
  type PersonType,
  personTypes,
  type SignatureType,
  signatureTypes,
} from './profile/holder-profiles.ts';
export { type Holder, holderSubject, type Subject, type SubjectFault } from './profile/subject.ts';
export {
  addCalendar,
  authorityValidity,
  holderValidity,
  periodEnd,
  responderValidity,
  type Validity,
  type ValidityFault,
  type ValidityPeriod,
  validityPeriods,
} from './profile/validity.ts';
export type { Result } from './result.ts';
