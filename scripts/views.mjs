/** The chat pages' scripts, each bundled from its module in `pages/` and what that imports, and their style. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';

/** The files of the folder `views` of the package, by their names. */
export async function viewFiles(folder) {
  const pages = readdirSync(join(folder, 'pages')).map(name => join(folder, 'pages', name));
  const scripts = await Promise.all(pages.map(async page => [basename(page), await bundled(page)]));
  return [...scripts, ['style.css', compact(readFileSync(join(folder, 'style.css'), 'utf8'))]];
}

async function bundled(input) {
  const bundle = await rolldown({ input, platform: 'browser', transform: { target: 'es2022' } });
  const { output } = await bundle.generate({ format: 'iife', minify: true, comments: false });
  await bundle.close();
  return output[0].code;
}

/** Without comments, indents, and line ends and spaces that separate nothing: they would be a third of a style. */
function compact(style) {
  return style
    .replace(/^\s*\/\*\*?[^*{]*\*\/\s*\n/gm, '')
    .replace(/^[ \t]+/gm, '')
    .replace(/([{};,([])\n/g, '$1')
    .replace(/ \{/g, '{')
    .replace(/(?<=[\w)]): /g, ':');
}
