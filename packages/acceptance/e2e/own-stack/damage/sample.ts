import { z } from 'zod';

type Node = Readonly<Record<string, unknown>>;

export interface SampleOptions {
  /** Values for fields of these names, such as existing ids. */
  readonly known: Readonly<Record<string, unknown>>;
  /** True to omit optional fields. */
  readonly isShort?: boolean;
}

/** Generates a value that a schema accepts, as far as its description shows: further rules may fail. */
export function createSample(schema: z.ZodType, options: SampleOptions): unknown {
  const description = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node;
  const definitions = (description.$defs ?? {}) as Readonly<Record<string, Node>>;
  const sample = (node: Node, name?: string): unknown => {
    if (name !== undefined && name in options.known) return options.known[name];
    if (typeof node.$ref === 'string') return sample(definitions[node.$ref.replace('#/$defs/', '')] ?? {});
    if (Array.isArray(node.enum)) return node.enum[0];
    if ('const' in node) return node.const;
    const choices = (node.anyOf ?? node.oneOf ?? node.allOf) as Node[] | undefined;
    if (choices !== undefined) return sample(choices[0] ?? {});
    switch (node.type) {
      case 'object':
        return sampleObject(node);
      case 'array':
        return [sample((node.items ?? {}) as Node)];
      case 'boolean':
        return true;
      case 'integer':
      case 'number':
        return Math.max(1, Number(node.minimum ?? 1));
      case 'null':
        return null;
      default:
        return sampleText(node);
    }
  };
  const sampleObject = ({ properties = {}, required = [] }: Node) => {
    const wanted = Object.entries(properties as Readonly<Record<string, Node>>).filter(
      ([name]) => !options.isShort || (required as string[]).includes(name),
    );
    return Object.fromEntries(wanted.map(([name, node]) => [name, sample(node, name)]));
  };
  return sample(description);
}

function sampleText({ format, minLength = 0 }: Node): string {
  if (format === 'uuid') return crypto.randomUUID();
  if (format === 'date-time') return new Date().toISOString();
  if (format === 'email') return 'ana@correo.example';
  if (format === 'uri') return 'http://127.0.0.1:9/';
  return 'muestra'.padEnd(Number(minLength), 'x');
}
