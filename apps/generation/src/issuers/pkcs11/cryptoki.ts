import { Pkcs11Error } from './return-values.ts';

/**
 * Subset of PKCS#11 that this product uses ("Cryptoki", PKCS #11 base specification v2.40). Every call runs in the
 * thread pool, so that a slow token never blocks the event loop. Layouts are those of 64-bit Unix: CK_ULONG and
 * pointers have 8 bytes, structures natural alignment (v2.40 §2.1; Windows packs to one byte and has a CK_ULONG of 4).
 * Structures are written byte by byte, so that nothing depends on how the FFI library declares them.
 */
export interface Cryptoki {
  /** Initialises the module, §5.4. Safe to repeat: another user of the module in this process may have done it. */
  initialize(): Promise<void>;
  /** Lists the slots that hold a token, §5.5. */
  slots(): Promise<bigint[]>;
  tokenLabel(slot: bigint): Promise<string>;
  /**
   * Opens a session.
   * @param options.writable whether it may change objects of the token, for creating keys
   */
  openSession(slot: bigint, options: { writable: boolean }): Promise<bigint>;
  closeSession(session: bigint): Promise<void>;
  /** Logs in as the token's user. Safe to repeat: all sessions of a process share their login (§5.6). */
  login(session: bigint, pin: string): Promise<void>;
  /** Finds at most two objects, by handle. */
  findObjects(session: bigint, template: Template): Promise<bigint[]>;
  attribute(session: bigint, object: bigint, type: number): Promise<Buffer>;
  /** Signs with a mechanism without parameter, §5.11. */
  sign(session: bigint, by: { mechanism: number; key: bigint }, data: Uint8Array): Promise<Buffer>;
  /**
   * Generates a key pair, §5.13.
   * @returns handle of the public key
   */
  generateKeyPair(
    session: bigint,
    mechanism: number,
    templates: { publicKey: Template; privateKey: Template },
  ): Promise<bigint>;
}

/** Attributes by their type (v2.40 §4): a flag, a CK_ULONG, or bytes. */
export type Template = readonly (readonly [type: number, value: boolean | number | Uint8Array])[];

/** Index in CK_FUNCTION_LIST from C_Initialize, and number of parameters (v2.40 header pkcs11f.h). */
const functions = {
  C_Initialize: [0, 1],
  C_GetSlotList: [4, 3],
  C_GetTokenInfo: [6, 2],
  C_OpenSession: [12, 5],
  C_CloseSession: [13, 1],
  C_Login: [18, 4],
  C_GetAttributeValue: [24, 4],
  C_FindObjectsInit: [26, 3],
  C_FindObjects: [27, 4],
  C_FindObjectsFinal: [28, 1],
  C_SignInit: [42, 3],
  C_Sign: [43, 5],
  C_GenerateKeyPair: [59, 8],
} as const satisfies Record<string, readonly [index: number, parameters: number]>;

const WORD = 8;
const userType = 1n; // CKU_USER
const serialSession = 4n; // CKF_SERIAL_SESSION, which must always be set (§5.6)
const writableSession = 2n; // CKF_RW_SESSION
const osLocking = 2n; // CKF_OS_LOCKING_OK
const alreadyInitialized = 401;
const alreadyLoggedIn = 256;
const maxSlots = 64;
const maxValueBytes = 4_096;
const STACK_BYTES = 1024 * 1024;

/** Bytes with the buffers that their pointers refer to. */
interface Memory {
  readonly octets: Buffer;
  readonly values: readonly Buffer[];
}

/** Argument of a call: a handle or number, or memory. The reference keeps memory alive until the call ends. */
type Argument = bigint | Buffer | Memory | null;
type Call = (name: keyof typeof functions, args: readonly Argument[], accept?: number) => Promise<void>;

/**
 * Loads a PKCS#11 module.
 * @throws Error when it cannot be loaded or the platform has other layouts
 */
export async function loadCryptoki(path: string): Promise<Cryptoki> {
  const module = await loadModule(path);
  return { ...tokenCalls(module), ...sessionCalls(module), ...objectCalls(module), ...keyCalls(module) };
}

function tokenCalls({ call }: LoadedModule): Pick<Cryptoki, 'initialize' | 'slots' | 'tokenLabel'> {
  return {
    // CK_C_INITIALIZE_ARGS: four functions for locks, flags, reserved.
    initialize: () => call('C_Initialize', [words(0n, 0n, 0n, 0n, osLocking, 0n)], alreadyInitialized),
    async slots() {
      // A call for the count alone makes a module detect tokens again (§5.5).
      await call('C_GetSlotList', [1n, null, words(0n)]);
      const list = Buffer.alloc(maxSlots * WORD);
      const count = words(BigInt(maxSlots));
      await call('C_GetSlotList', [1n, list, count]);
      return readWords(list, Number(count.readBigUInt64LE()));
    },
    async tokenLabel(slot) {
      // CK_TOKEN_INFO has 208 bytes; it begins with the label, 32 bytes padded with blanks.
      const info = Buffer.alloc(512);
      await call('C_GetTokenInfo', [slot, info]);
      return info.toString('utf8', 0, 32).trimEnd();
    },
  };
}

function sessionCalls({ call }: LoadedModule): Pick<Cryptoki, 'openSession' | 'closeSession' | 'login'> {
  return {
    async openSession(slot, { writable }) {
      const handle = words(0n);
      const flags = serialSession | (writable ? writableSession : 0n);
      await call('C_OpenSession', [slot, flags, null, null, handle]);
      return handle.readBigUInt64LE();
    },
    closeSession: (session) => call('C_CloseSession', [session]),
    async login(session, pin) {
      const octets = Buffer.from(pin, 'utf8');
      const args = [session, userType, octets, BigInt(octets.length)];
      await call('C_Login', args, alreadyLoggedIn).finally(() => octets.fill(0));
    },
  };
}

function objectCalls({ call, addressOf }: LoadedModule): Pick<Cryptoki, 'findObjects' | 'attribute'> {
  return {
    async findObjects(session, template) {
      const encoded = encodeTemplate(template, addressOf);
      await call('C_FindObjectsInit', [session, encoded, BigInt(template.length)]);
      const handles = Buffer.alloc(2 * WORD);
      const count = words(0n);
      await call('C_FindObjects', [session, handles, 2n, count]);
      await call('C_FindObjectsFinal', [session]);
      return readWords(handles, Number(count.readBigUInt64LE()));
    },
    async attribute(session, object, type) {
      const value = Buffer.alloc(maxValueBytes);
      const encoded = encodeTemplate([[type, value]], addressOf);
      await call('C_GetAttributeValue', [session, object, encoded, 1n]);
      return value.subarray(0, Number(encoded.octets.readBigUInt64LE(2 * WORD)));
    },
  };
}

function keyCalls({ call, addressOf }: LoadedModule): Pick<Cryptoki, 'sign' | 'generateKeyPair'> {
  /** Encodes CK_MECHANISM: type, pointer to the parameter, its length. */
  const encodeMechanism = (type: number) => words(BigInt(type), 0n, 0n);
  return {
    async sign(session, { mechanism, key }, data) {
      await call('C_SignInit', [session, encodeMechanism(mechanism), key]);
      const signature = Buffer.alloc(maxValueBytes);
      const length = words(BigInt(maxValueBytes));
      await call('C_Sign', [session, Buffer.from(data), BigInt(data.length), signature, length]);
      return Buffer.from(signature.subarray(0, Number(length.readBigUInt64LE())));
    },
    async generateKeyPair(session, mechanism, { publicKey, privateKey }) {
      const open = encodeTemplate(publicKey, addressOf);
      const secret = encodeTemplate(privateKey, addressOf);
      const [publicHandle, privateHandle] = [words(0n), words(0n)];
      const templates = [open, BigInt(publicKey.length), secret, BigInt(privateKey.length)];
      const args = [session, encodeMechanism(mechanism), ...templates, publicHandle, privateHandle];
      await call('C_GenerateKeyPair', args);
      return publicHandle.readBigUInt64LE();
    },
  };
}

interface LoadedModule {
  readonly call: Call;
  readonly addressOf: (memory: Buffer) => bigint;
}

async function loadModule(path: string): Promise<LoadedModule> {
  if (process.platform === 'win32' || !['x64', 'arm64'].includes(process.arch)) {
    throw new Error(
      `PKCS#11 modules are used on 64-bit Unix only, not on ${process.platform} ${process.arch}`,
    );
  }
  const { default: koffi } = await import('koffi');
  // Modules run TLS clients and key generators on the stack of a call; the library's default of 128 KiB is too small.
  if ((koffi.config()?.async_stack_size ?? 0) < STACK_BYTES) koffi.config({ async_stack_size: STACK_BYTES });
  const library = koffi.load(path);
  // The only function that every module must export by name (§5.4): it returns the table of all others.
  const found = Buffer.alloc(WORD);
  const failed: number = library.func('ulong C_GetFunctionList(void *list)')(found);
  if (failed !== 0) throw new Pkcs11Error('C_GetFunctionList', failed);
  const list = found.readBigUInt64LE();
  // CK_FUNCTION_LIST: CK_VERSION, two bytes and padding to a word, then one pointer per function.
  const calls = new Map(
    Object.entries(functions).map(([name, [index, parameters]]) => {
      const pointer = koffi.decode(list, WORD * (1 + index), 'void *');
      const type = koffi.proto(null, 'ulong', Array(parameters).fill('uintptr_t'));
      return [name, koffi.decode(pointer, type)];
    }),
  );
  const addressOf = (memory: Buffer) => BigInt(koffi.address(memory));
  return {
    addressOf,
    call: (name, args, accept) =>
      new Promise((resolve, reject) => {
        const values = args.map((arg) => encodeArgument(arg, addressOf));
        calls.get(name)?.async(...values, (error: Error | null, returned: number) => {
          if (error) reject(error);
          else if (returned === 0 || returned === accept) resolve();
          else reject(new Pkcs11Error(name, returned));
          // These references keep the memory of the arguments and the module alive until now.
          void args;
          void library;
        });
      }),
  };
}

function encodeArgument(argument: Argument, addressOf: (memory: Buffer) => bigint): bigint {
  if (argument === null) return 0n;
  if (typeof argument === 'bigint') return argument;
  return addressOf(Buffer.isBuffer(argument) ? argument : argument.octets);
}

/** Encodes CK_ATTRIBUTE structures: type, pointer to the value, its length. */
function encodeTemplate(template: Template, addressOf: (memory: Buffer) => bigint): Memory {
  const values = template.map(([, value]) => encodeValue(value));
  const fields = template.flatMap(([type], index) => {
    const value = values[index] ?? Buffer.alloc(0);
    return [BigInt(type), addressOf(value), BigInt(value.length)];
  });
  return { octets: words(...fields), values };
}

function encodeValue(value: boolean | number | Uint8Array): Buffer {
  if (typeof value === 'boolean') return Buffer.from([value ? 1 : 0]);
  if (typeof value === 'number') return words(BigInt(value));
  return Buffer.isBuffer(value) ? value : Buffer.from(value);
}

function words(...values: bigint[]): Buffer {
  const octets = Buffer.alloc(values.length * WORD);
  values.forEach((value, index) => {
    octets.writeBigUInt64LE(value, index * WORD);
  });
  return octets;
}

function readWords(octets: Buffer, count: number): bigint[] {
  return Array.from({ length: count }, (_, index) => octets.readBigUInt64LE(index * WORD));
}
