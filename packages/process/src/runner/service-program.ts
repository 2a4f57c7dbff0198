export interface CommandModule {
  /** @returns exit code; 0 if it returns nothing */
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return nothing
  readonly run: (args: readonly string[]) => Promise<number | void>;
}

export interface ServiceCommand {
  /** One line of `--help`. */
  readonly about: string;
  /** Loads the code of this command; the code of the other commands is never loaded. */
  readonly load: () => Promise<CommandModule>;
}

export type ServiceCommands = Readonly<Record<string, ServiceCommand>> & { readonly serve: ServiceCommand };

/** sysexits.h EX_USAGE: tells a supervisor that the command line is wrong. */
const exitUsage = 64;

/**
 * Runs the command that the first argument names, or `serve` without an argument. Arguments after the name belong to
 * the command. Exits with 64 if no command has that name.
 */
export async function serviceProgram(service: string, commands: ServiceCommands): Promise<void> {
  const [name = 'serve', ...args] = process.argv.slice(2);
  if (name === '--help' || name === '-h') {
    process.stdout.write(formatHelp(service, commands));
    return;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    process.stderr.write(`${service} has no command "${name}".\n\n${formatHelp(service, commands)}`);
    process.exitCode = exitUsage;
    return;
  }
  const { run } = await command.load();
  const exitCode = await run(args);
  if (typeof exitCode === 'number') process.exitCode = exitCode;
}

function formatHelp(service: string, commands: ServiceCommands): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}\n`);
  return `${service}: node main.mjs [command] [arguments]

${lines.join('')}
Without a command it serves.
`;
}
