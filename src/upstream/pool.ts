/** undici's pool by itself, in a chunk that is loaded after the handshake: all of undici takes twice as long to load. */
import Pool from 'undici/lib/dispatcher/pool.js';

export { Pool };
