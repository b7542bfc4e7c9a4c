import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Vectors {
    static int wrong = 0;

    static void check(String about, boolean right) {
        if (right) return;
        wrong++;
        System.err.println("wrong: " + about);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static List<Map<String, String>> read(Path file) throws Exception {
        List<String> lines = Files.readAllLines(file);
        String[] names = lines.get(0).split("\t");
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] values = line.split("\t", -1);
            Map<String, String> row = new HashMap<>();
            for (int i = 0; i < names.length; i++) row.put(names[i], values[i]);
            rows.add(row);
        }
        return rows;
    }

    /** RFC 3986: letters, digits and -._~ stay as they are. */
    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
            .replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
    }

    static List<String[]> form(String text) {
        List<String[]> pairs = new ArrayList<>();
        if (text == null || text.isEmpty()) return pairs;
        for (String part : text.split("&")) {
            String[] pair = part.split("=", 2);
            pairs.add(new String[] {
                URLDecoder.decode(pair[0], StandardCharsets.UTF_8), URLDecoder.decode(pair[1], StandardCharsets.UTF_8)
            });
        }
        return pairs;
    }

    static byte[] mac(String algorithm, byte[] key, String text) throws Exception {
        Mac mac = Mac.getInstance(algorithm);
        mac.init(new SecretKeySpec(key, algorithm));
        return mac.doFinal(bytes(text));
    }

    static String sha1(String text) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes(text)));
    }

    static String base64(byte[] value) {
        return Base64.getEncoder().encodeToString(value);
    }

    static String text(String json, String name) {
        var matcher = Pattern.compile("\"" + name + "\": \"([^\"]*)\"").matcher(json);
        return matcher.find() ? matcher.group(1).replace("\\n", "\n") : "";
    }

    static byte[] sign(String method, String controlKey, PrivateKey key, String text) throws Exception {
        if (method.equals("HMAC-SHA1")) return mac("HmacSHA1", bytes(encode(controlKey) + "&"), text);
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(key);
        signature.update(bytes(text));
        return signature.sign();
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments.length > 0 ? arguments[0] : ".");
        String keys = Files.readString(folder.resolve("oauth.json"));
        String controlKey = text(keys, "controlKey");
        String login = text(keys, "login");
        String pem = text(keys, "privateKey").replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
        PrivateKey key = KeyFactory.getInstance("RSA")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));

        for (var row : read(folder.resolve("control.tsv"))) {
            String joined = form(row.get("values")).stream().map(pair -> pair[1]).collect(Collectors.joining());
            boolean right = (joined + controlKey).equals(row.get("text"));
            check(row.get("about"), right && sha1(joined + controlKey).equals(row.get("control")));
        }

        for (var row : read(folder.resolve("oauth.tsv"))) {
            URI url = URI.create(row.get("url"));
            String scheme = url.getScheme().toLowerCase();
            boolean isDefault = url.getPort() == -1 || url.getPort() == (scheme.equals("https") ? 443 : 80);
            String base = scheme + "://" + url.getHost().toLowerCase() + (isDefault ? "" : ":" + url.getPort()) + url.getRawPath();
            List<String[]> parameters = new ArrayList<>(form(row.get("body")));
            parameters.addAll(form(url.getRawQuery()));
            String method = row.get("signatureMethod");
            parameters.add(new String[] {"oauth_consumer_key", login});
            parameters.add(new String[] {"oauth_nonce", row.get("nonce")});
            parameters.add(new String[] {"oauth_signature_method", method});
            parameters.add(new String[] {"oauth_timestamp", row.get("timestamp")});
            parameters.add(new String[] {"oauth_version", "1.0"});
            String joined = parameters.stream()
                .map(pair -> new String[] {encode(pair[0]), encode(pair[1])})
                .sorted((one, other) -> one[0].equals(other[0]) ? one[1].compareTo(other[1]) : one[0].compareTo(other[0]))
                .map(pair -> pair[0] + "=" + pair[1])
                .collect(Collectors.joining("&"));
            String baseString = "POST&" + encode(base) + "&" + encode(joined);
            String signature = base64(sign(method, controlKey, key, baseString));
            boolean right = baseString.equals(row.get("baseString"));
            check(row.get("about"), right && signature.equals(row.get("signature")));
        }

        byte[] secret = mac("HmacSHA256", bytes(controlKey), "pay/webhook/v1");
        for (var row : read(folder.resolve("callbacks.tsv"))) {
            Map<String, String> fields = new HashMap<>();
            for (String[] pair : form(row.get("query"))) fields.put(pair[0], pair[1]);
            String control = sha1(fields.get("status") + fields.get("orderid") + fields.get("client_orderid") + controlKey);
            String content = row.get("webhook-id") + "." + row.get("webhook-timestamp") + "." + row.get("query");
            String signature = "v1," + base64(mac("HmacSHA256", secret, content));
            long age = Long.parseLong(row.get("now")) - Long.parseLong(row.get("webhook-timestamp"));
            boolean valid = MessageDigest.isEqual(bytes(control), bytes(fields.getOrDefault("control", "")))
                && Arrays.asList(row.get("webhook-signature").split(" ")).contains(signature)
                && Math.abs(age) <= 300;
            check(row.get("about"), valid == Boolean.parseBoolean(row.get("valid")));
        }
        System.exit(wrong == 0 ? 0 : 1);
    }
}
