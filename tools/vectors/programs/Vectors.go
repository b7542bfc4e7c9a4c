package main

import (
	"crypto"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

type vector struct {
	About, Text, Control, Url, Nonce, Timestamp, BaseString, Signature, SignatureMethod, Query string
	Values                                                                                     []string
	Parameters                                                                                 [][2]string
	Headers                                                                                    map[string]string
	Valid                                                                                      bool
	NowSeconds, ToleranceSeconds                                                               int64
}

type file struct {
	Login, ControlKey, PrivateKey string
	Vectors                       []vector
}

var wrong int

func check(about string, right bool) {
	if !right {
		wrong++
		fmt.Fprintln(os.Stderr, "wrong:", about)
	}
}

func read(name string) (content file) {
	folder := "."
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	text, err := os.ReadFile(filepath.Join(folder, name+".json"))
	if err == nil {
		err = json.Unmarshal(text, &content)
	}
	if err != nil {
		panic(err)
	}
	return content
}

// RFC 3986: letters, digits and -._~ stay as they are.
func encode(text string) string {
	var encoded strings.Builder
	for _, b := range []byte(text) {
		if b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || strings.IndexByte("-._~", b) >= 0 {
			encoded.WriteByte(b)
		} else {
			fmt.Fprintf(&encoded, "%%%02X", b)
		}
	}
	return encoded.String()
}

func mac(key []byte, text string) []byte {
	digest := hmac.New(sha256.New, key)
	digest.Write([]byte(text))
	return digest.Sum(nil)
}

func sign(method, controlKey string, key *rsa.PrivateKey, text string) []byte {
	if method == "HMAC-SHA1" {
		digest := hmac.New(sha1.New, []byte(encode(controlKey)+"&"))
		digest.Write([]byte(text))
		return digest.Sum(nil)
	}
	digest := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:])
	if err != nil {
		panic(err)
	}
	return signature
}

func sha1Hex(text string) string {
	digest := sha1.Sum([]byte(text))
	return hex.EncodeToString(digest[:])
}

func main() {
	controls := read("control")
	for _, v := range controls.Vectors {
		text := strings.Join(v.Values, "") + controls.ControlKey
		check(v.About, text == v.Text && sha1Hex(text) == v.Control)
	}

	oauth := read("oauth")
	block, _ := pem.Decode([]byte(oauth.PrivateKey))
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		panic(err)
	}
	key := parsed.(*rsa.PrivateKey)
	for _, v := range oauth.Vectors {
		address, _ := url.Parse(v.Url)
		host := strings.ToLower(address.Host)
		host = strings.TrimSuffix(host, map[string]string{"http": ":80", "https": ":443"}[address.Scheme])
		parameters := append([][2]string{}, v.Parameters...)
		for name, values := range address.Query() {
			for _, value := range values {
				parameters = append(parameters, [2]string{name, value})
			}
		}
		parameters = append(parameters,
			[2]string{"oauth_consumer_key", oauth.Login}, [2]string{"oauth_nonce", v.Nonce},
			[2]string{"oauth_signature_method", v.SignatureMethod}, [2]string{"oauth_timestamp", v.Timestamp},
			[2]string{"oauth_version", "1.0"})
		pairs := make([][2]string, len(parameters))
		for i, p := range parameters {
			pairs[i] = [2]string{encode(p[0]), encode(p[1])}
		}
		sort.Slice(pairs, func(i, j int) bool {
			return pairs[i][0] < pairs[j][0] || pairs[i][0] == pairs[j][0] && pairs[i][1] < pairs[j][1]
		})
		joined := make([]string, len(pairs))
		for i, p := range pairs {
			joined[i] = p[0] + "=" + p[1]
		}
		base := "POST&" + encode(address.Scheme+"://"+host+address.EscapedPath()) + "&" + encode(strings.Join(joined, "&"))
		signature := base64.StdEncoding.EncodeToString(sign(v.SignatureMethod, oauth.ControlKey, key, base))
		check(v.About, base == v.BaseString && signature == v.Signature)
	}

	callbacks := read("callbacks")
	secret := mac([]byte(callbacks.ControlKey), "pay/webhook/v1")
	for _, v := range callbacks.Vectors {
		fields, _ := url.ParseQuery(v.Query)
		signed := fields.Get("status") + fields.Get("orderid") + fields.Get("client_orderid") + callbacks.ControlKey
		content := v.Headers["webhook-id"] + "." + v.Headers["webhook-timestamp"] + "." + v.Query
		signature := "v1," + base64.StdEncoding.EncodeToString(mac(secret, content))
		at, _ := strconv.ParseInt(v.Headers["webhook-timestamp"], 10, 64)
		age := v.NowSeconds - at
		valid := hmac.Equal([]byte(sha1Hex(signed)), []byte(fields.Get("control"))) &&
			strings.Contains(" "+v.Headers["webhook-signature"]+" ", " "+signature+" ") &&
			age <= v.ToleranceSeconds && age >= -v.ToleranceSeconds
		check(v.About, valid == v.Valid)
	}
	if wrong > 0 {
		os.Exit(1)
	}
}
