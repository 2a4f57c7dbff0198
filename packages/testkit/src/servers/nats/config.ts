/** One user of the bus. Subjects may contain wildcards; an absent list means "everything". */
export interface NatsUser {
  readonly user: string;
  readonly password: string;
  readonly publish?: SubjectRules;
  readonly subscribe?: SubjectRules;
  /** True if the user may answer on received reply subjects, regardless of `publish`. */
  readonly allowResponses?: boolean;
}

export interface SubjectRules {
  readonly allow: readonly string[];
  readonly deny?: readonly string[];
}

export interface NatsConfig {
  readonly port: number;
  readonly storeDirectory: string;
  readonly serverName: string;
  readonly users?: readonly NatsUser[] | undefined;
  /** Further configuration, verbatim, such as an `authorization` block or an `include`. */
  readonly extra?: string | undefined;
}

/** Renders nats-server's configuration. All ports are on loopback only. */
export function natsConfig(config: NatsConfig): string {
  return [
    `listen: "127.0.0.1:${config.port}"`,
    `server_name: ${JSON.stringify(config.serverName)}`,
    'max_payload: 8MB',
    `jetstream {\n  store_dir: ${JSON.stringify(config.storeDirectory)}\n  max_memory_store: 256MB\n  max_file_store: 20GB\n}`,
    ...(config.users === undefined ? [] : [authorization(config.users)]),
    ...(config.extra === undefined ? [] : [config.extra]),
    '',
  ].join('\n');
}

function authorization(users: readonly NatsUser[]): string {
  return `authorization {\n  users = [\n${users.map(userBlock).join('\n')}\n  ]\n}`;
}

function userBlock(user: NatsUser): string {
  const permissions = [
    ...rule('publish', user.publish),
    ...rule('subscribe', user.subscribe),
    ...(user.allowResponses ? ['allow_responses: { max: 1, expires: "2m" }'] : []),
  ];
  const lines = [`user: ${JSON.stringify(user.user)}`, `password: ${JSON.stringify(user.password)}`];
  if (permissions.length > 0) lines.push(`permissions: { ${permissions.join(', ')} }`);
  return `    { ${lines.join(', ')} }`;
}

function rule(name: 'publish' | 'subscribe', rules: SubjectRules | undefined): string[] {
  if (rules === undefined) return [];
  const deny = rules.deny === undefined ? '' : `, deny: ${JSON.stringify(rules.deny)}`;
  return [`${name}: { allow: ${JSON.stringify(rules.allow)}${deny} }`];
}
