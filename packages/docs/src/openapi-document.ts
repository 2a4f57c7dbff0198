import type { Deprecation } from '@rubrica/contracts/rest/operation';
import type { Json, JsonObject } from '@rubrica/openapi/json';

/** The parts of the OpenAPI document that pages and collection read. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Components;
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
  };
}

export type Components = Readonly<Record<string, JsonObject>>;

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly 'x-deprecation'?: Deprecation;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly description?: string; readonly content: Content };
  readonly responses: Readonly<Record<string, OperationResponse>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string;
}

/** Bodies by media type. */
export type Content = Readonly<Record<string, MediaContent>>;

export interface MediaContent {
  readonly schema: Schema;
  readonly example?: Json;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: Json }>>;
}

export interface OperationResponse {
  readonly description: string;
  /** References to components. */
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Content;
}

export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly examples?: readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  /** Alternatives with the same meaning: the first one is shown. */
  readonly oneOf?: readonly Schema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Operation with its method and path. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function listRoutes({ paths }: OpenApiDocument): Route[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

export interface RouteGroup {
  readonly name: string;
  readonly description?: string;
  readonly routes: readonly Route[];
}

/** Groups the operations by tag, in the order of the document. */
export function groupRoutes(document: OpenApiDocument): RouteGroup[] {
  const routes = listRoutes(document);
  return document.tags
    .map((tag) => ({ ...tag, routes: routes.filter(({ operation }) => operation.tags.includes(tag.name)) }))
    .filter((group) => group.routes.length > 0);
}
