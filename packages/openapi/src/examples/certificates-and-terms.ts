import { assertionType } from '@rubrica/contracts/rest/oauth';
import type { operations } from '@rubrica/contracts/rest/operations';
import { createdDate, references, validity } from './applicant.ts';
import type { OperationExamples } from './example.ts';

export const activeTermsId = '0197a000-3d11-7e20-9c55-61f0a7be2d48';

type RemainingOperations = Pick<
  typeof operations,
  'revokeCertificate' | 'renewCertificate' | 'usage' | 'activeTerms' | 'token' | 'serverMetadata'
>;

export const certificatesAndTermsExamples = {
  revokeCertificate: {
    bodies: {
      'By the reference of the request': {
        referenceTransaction: references.linkedPartner,
        reason: 'keyCompromise',
        comment: 'The phone with the file was stolen',
      },
      'By serial number': { serialNumber: validity.serialNumber, reason: 'superseded' },
    },
    answer: {
      serialNumber: validity.serialNumber,
      status: 'REVOKED',
      revocationReason: 'keyCompromise',
      revokedAt: '2026-11-22T08:05:10.000',
    },
  },
  renewCertificate: {
    bodies: {
      'By the reference of the former request': {
        referenceTransaction: references.linkedPartner,
        newReferenceTransaction: `${references.linkedPartner}-R1`,
        password: 'Firma2026segura',
        supersede: true,
      },
      'By serial number': {
        serialNumber: validity.serialNumber,
        newReferenceTransaction: `${references.linkedPartner}-R1`,
        period: 'ONE_YEAR',
        password: 'Firma2026segura',
        cellphoneNumber: '+593991234567',
      },
    },
    answer: {
      linkedPartnerRequestId: '0197a000-5c11-7d42-8f10-2b6c1f0e9a77',
      referenceTransaction: `${references.linkedPartner}-R1`,
      status: 'REGISTERED',
      validationStatus: 'PENDING',
      createdAt: '2026-11-22 08:05:10',
      errors: [],
      renewalOf: {
        referenceTransaction: references.linkedPartner,
        serialNumber: validity.serialNumber,
      },
    },
  },
  usage: {
    query: { month: '2026-11' },
    answer: {
      month: '2026-11',
      quota: { TRADITIONAL_SIGNATURE: 100, TRANSACTIONAL_SIGNATURE: null },
      used: { TRADITIONAL_SIGNATURE: 42, TRANSACTIONAL_SIGNATURE: 7 },
      reserved: { TRADITIONAL_SIGNATURE: 2, TRANSACTIONAL_SIGNATURE: 0 },
      issued: { TRADITIONAL_SIGNATURE: 40, TRANSACTIONAL_SIGNATURE: 7 },
      revoked: { TRADITIONAL_SIGNATURE: 1, TRANSACTIONAL_SIGNATURE: 0 },
      byFamily: {
        TV: { registered: 45, issued: 38, refused: 3, cancelled: 1, expired: 1 },
        FR: { registered: 2, issued: 2, refused: 0, cancelled: 0, expired: 0 },
        FT: { registered: 7, issued: 7, refused: 0, cancelled: 0, expired: 0 },
        FS: { registered: 0, issued: 0, refused: 0, cancelled: 0, expired: 0 },
        API: { registered: 0, issued: 0, refused: 0, cancelled: 0, expired: 0 },
      },
    },
  },
  activeTerms: {
    query: { type: 'TRADITIONAL_SIGNATURE' },
    answer: {
      id: activeTermsId,
      version: '1',
      content: 'TÉRMINOS Y CONDICIONES\n\n1. Objeto. …',
      type: 'TRADITIONAL_SIGNATURE',
      active: true,
      createdDate,
    },
  },
  token: {
    bodies: {
      'Client credentials': {
        grant_type: 'client_credentials',
        scope: 'collector:write manager:write status:read',
      },
      'Client id and secret in the body': {
        grant_type: 'client_credentials',
        client_id: '<client id>',
        client_secret: '<client secret>',
      },
      'Signed assertion': {
        grant_type: 'client_credentials',
        client_assertion_type: assertionType,
        client_assertion: '<JWT signed by a key of the partner>',
      },
    },
    answer: {
      access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl',
      token_type: 'Bearer',
      expires_in: 1800,
      scope: 'collector:write manager:write status:read',
    },
  },
  serverMetadata: {
    answer: {
      issuer: 'https://rubrica.example',
      token_endpoint: 'https://rubrica.example/oauth/token',
      jwks_uri: 'https://rubrica.example/.well-known/jwks.json',
      scopes_supported: ['collector:write', 'manager:write', 'status:read', 'certificates:revoke'],
      response_types_supported: [],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['PS256', 'RS256', 'ES256', 'Ed25519', 'EdDSA'],
      access_token_signing_alg_values_supported: ['EdDSA'],
      service_documentation: 'https://rubrica.example/docs',
    },
  },
} satisfies OperationExamples<RemainingOperations>;
