import type { Deprecation } from '@rubrica/contracts/rest/operation';
import type { Json } from '@rubrica/openapi/json';
import type { Components, Schema } from './schema-table.ts';

/** What the pages read of the OpenAPI document. */
export interface DescribedDocument {
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationDocument>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: OperationDocument }>>;
  readonly components: {
    readonly schemas: Components;
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
  };
}

export interface MediaContent {
  readonly schema: Schema;
  readonly example?: Json;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: Json }>>;
}
export type Content = Readonly<Record<string, MediaContent>>;

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string;
}

export interface Answer {
  readonly description: string;
  /** References to components. */
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Content;
}

export interface OperationDocument {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly 'x-deprecation'?: Deprecation;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly description?: string; readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
}

/** An operation, and where it is. */
export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationDocument;
}

export interface OperationGroup {
  readonly name: string;
  readonly operations: readonly Placed[];
}

/** The operations by tag, in the order of the document. */
export function operationGroups({ tags, paths }: DescribedDocument): OperationGroup[] {
  const placed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Placed => ({ method, path, operation })),
  );
  return tags
    .map(({ name }) => ({
      name,
      operations: placed.filter(({ operation }) => operation.tags.includes(name)),
    }))
    .filter(({ operations }) => operations.length > 0);
}
