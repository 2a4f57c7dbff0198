import type { Json, JsonObject } from './schemas.ts';

export const pkiTag = 'Public key infrastructure';

function bytes(mediaType: string): JsonObject {
  return {
    [mediaType]: { schema: { type: 'string', format: 'binary' } },
  };
}

const cached: JsonObject = {
  'Cache-Control': { schema: { type: 'string' } },
  ETag: { schema: { type: 'string' } },
  'Last-Modified': { schema: { type: 'string' } },
};

function parameter(name: string, description: string): Json {
  return {
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
  };
}

function answers(description: string, content: JsonObject): JsonObject {
  return {
    200: { description, headers: cached, content },
    304: { description: 'Not changed since the version named by `If-None-Match`' },
  };
}

const ocspResponse = bytes('application/ocsp-response');
const ocspText =
  'Signed by a delegated responder. What is no request is answered `malformedRequest`, with 200 as all OCSP answers are. A revocation shows at once.';

/** Files and answers that certificates name. Public, without token, and not JSON. */
export const pkiPaths: Readonly<Record<string, JsonObject>> = {
  '/pki/{file}': {
    get: {
      tags: [pkiTag],
      operationId: 'pkiFile',
      summary: "An authority's certificate or CRL, DER",
      security: [],
      parameters: [parameter('file', '`{name}.cer` or `{name}.crl`, as certificates name them')],
      responses: {
        ...answers('The file', { ...bytes('application/pkix-cert'), ...bytes('application/pkix-crl') }),
        404: { description: 'There is no such file' },
      },
    },
  },
  '/pki/ocsp': {
    post: {
      tags: [pkiTag],
      operationId: 'ocsp',
      summary: 'The status of a certificate (RFC 6960)',
      description: ocspText,
      security: [],
      requestBody: { required: true, content: bytes('application/ocsp-request') },
      responses: { 200: { description: 'An OCSP response', headers: cached, content: ocspResponse } },
    },
  },
  '/pki/ocsp/{request}': {
    get: {
      tags: [pkiTag],
      operationId: 'ocspByAddress',
      summary: 'The same, cacheable (RFC 5019)',
      description: ocspText,
      security: [],
      parameters: [parameter('request', 'URL-encoded base64 of the OCSP request')],
      responses: answers('An OCSP response', ocspResponse),
    },
  },
};
