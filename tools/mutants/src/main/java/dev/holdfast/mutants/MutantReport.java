package dev.holdfast.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** A reader of pitest's report. It adds the text of the changed lines. */
final class MutantReport {
    private final Path sources;
    private final Map<String, List<String>> linesOfFile = new HashMap<>();

    MutantReport(Path sources) {
        this.sources = sources;
    }

    List<Mutant> read(Path file) throws IOException {
        NodeList nodes = parsed(file).getElementsByTagName("mutation");
        List<Mutant> mutants = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            mutants.add(mutant((Element) nodes.item(i)));
        }
        return mutants;
    }

    private static Element parsed(Path file) throws IOException {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile())
                    .getDocumentElement();
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException("report: " + file, e);
        }
    }

    private Mutant mutant(Element node) throws IOException {
        String className = text(node, "mutatedClass");
        String packageName = className.substring(0, className.lastIndexOf('.'));
        int line = Integer.parseInt(text(node, "lineNumber"));
        String source = source(packageName, text(node, "sourceFile"), line);
        return new Mutant(
                packageName,
                MutantSite.of(className, text(node, "mutatedMethod"), text(node, "description"), source),
                line,
                MutantFate.valueOf(node.getAttribute("status")));
    }

    private String source(String packageName, String fileName, int line) throws IOException {
        String path = packageName.replace('.', '/') + "/" + fileName;
        List<String> lines = linesOfFile.get(path);
        if (lines == null) {
            lines = Files.readAllLines(sources.resolve(path));
            linesOfFile.put(path, lines);
        }
        return line >= 1 && line <= lines.size() ? lines.get(line - 1) : "";
    }

    private static String text(Element node, String name) {
        return node.getElementsByTagName(name).item(0).getTextContent();
    }
}
